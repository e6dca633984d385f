export function Canvas() {
  return <div className="canvas" data-testid="canvas" />
}
