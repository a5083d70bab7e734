import { useEffect, useState, type RefObject } from 'react'

/** Returns true from the moment on at which a place comes so near the window. */
export function useSeen(place: RefObject<HTMLElement | null>, near = '200px'): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (place.current === null) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && setSeen(true), {
      rootMargin: near,
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [place, near])
  return seen
}
