// A long list of rows of one height, of which only those in view are in the document.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface VirtualListProps<Item> {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  rowPixels: number;
  /** Called when the end of the list comes into view. */
  onEnd?: () => void;
  children: (item: Item) => ComponentChildren;
}

const overscan = 8;

export function VirtualList<Item>({ label, items, keyOf, rowPixels, onEnd, children }: VirtualListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const range = useSignal({ from: 0, to: 40 });
  useEffect(() => {
    const update = (): void => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      const from = Math.max(0, Math.floor(-top / rowPixels) - overscan);
      const to = Math.min(items.length, Math.ceil((innerHeight - top) / rowPixels) + overscan);
      if (from !== range.peek().from || to !== range.peek().to) range.value = { from, to };
      if (to >= items.length) onEnd?.();
    };
    update();
    addEventListener('scroll', update, { passive: true });
    addEventListener('resize', update);
    return () => {
      removeEventListener('scroll', update);
      removeEventListener('resize', update);
    };
  }, [items, rowPixels, onEnd]);
  const { from, to } = range.value;
  return (
    <ul class="virtual-list" aria-label={label} ref={list} style={{ height: `${items.length * rowPixels}px` }}>
      {items.slice(from, to).map((item, at) => (
        <li
          key={keyOf(item)}
          aria-setsize={items.length}
          aria-posinset={from + at + 1}
          style={{ height: `${rowPixels}px`, transform: `translateY(${(from + at) * rowPixels}px)` }}
        >
          {children(item)}
        </li>
      ))}
    </ul>
  );
}
