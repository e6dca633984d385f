import { useEffect, type RefObject } from 'react'

// useBeside closes what stands over the page with a press or a wheel beside it,
// or when the window gets another size. A press on the button that opened it is
// answered there.
export function useBeside(box: RefObject<Element | null>, button: Element | null, onClose: () => void): void {
  useEffect(() => {
    const beside = ({ target }: Event): void => {
      if (target instanceof Node && !box.current?.contains(target) && !button?.contains(target)) onClose()
    }
    addEventListener('pointerdown', beside, true)
    addEventListener('wheel', beside, true)
    addEventListener('resize', onClose)
    return () => {
      removeEventListener('pointerdown', beside, true)
      removeEventListener('wheel', beside, true)
      removeEventListener('resize', onClose)
    }
  }, [box, button, onClose])
}
