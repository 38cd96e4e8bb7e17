import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** Items with keys for lists whose items have none of their own: their places, which fits lists that only grow. */
export const keyed = <Item>(items: readonly Item[]): readonly { readonly key: string; readonly item: Item }[] =>
  items.map((item, at) => ({ key: String(at), item }))

/** The part of a scrolled element that is in view, in pixels. */
export interface ScrollPart {
  readonly top: number
  readonly left: number
  readonly width: number
  readonly height: number
}

/** Follows the size of an element, and how far it is scrolled. */
export function useScrollView(box: RefObject<HTMLElement | null>): ScrollPart {
  const [view, setView] = useState<ScrollPart>({ top: 0, left: 0, width: 0, height: 600 })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      const { scrollTop: top, scrollLeft: left, clientWidth: width, clientHeight: height } = element
      setView({ top, left, width, height })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  return view
}

/** The numbers of the items in view, from `first` up to `end`, with some before and after. */
export function itemsInView(from: number, length: number, size: number, count: number, margin: number) {
  const first = Math.max(0, Math.min(count, Math.floor(from / size)) - margin)
  const end = Math.min(count, Math.ceil((from + length) / size) + margin)
  return { first, end }
}
