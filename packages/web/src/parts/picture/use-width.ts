import { useEffect, useRef, useState, type RefObject } from 'react'

/** Returns the width of an element in px, and what to give the element as `ref`. */
export function useWidth(first: number): readonly [number, RefObject<HTMLDivElement | null>] {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(first)
  useEffect(() => {
    const element = ref.current
    if (element === null) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? first)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [first])
  return [width, ref]
}
