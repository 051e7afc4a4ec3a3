// Rows of links that scroll sideways on a narrow screen.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Moves the current link of a row into view whenever another one becomes current. */
export function useCurrentInView(current: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useEffect(() => {
    const link = row.current?.querySelector('[aria-current]')?.getBoundingClientRect();
    if (!row.current || !link) return;
    const { left, width } = row.current.getBoundingClientRect();
    row.current.scrollLeft += link.left + link.width / 2 - (left + width / 2);
  }, [current]);
  return row;
}
