export default function Forms() {
  return null
}
