// The element that holds a plot: it draws again when the theme changes, follows the width, and tells
// where the pointer is.
import { useEffect, useRef } from 'preact/hooks';
import type uPlot from 'uplot';
import { chartPixels, darkScheme } from './plot-kit.ts';

interface PlotHostProps {
  /** Draws into the element. `onCursor` takes the index below the cursor. */
  draw: (element: HTMLElement, onCursor: (index: number | undefined) => void) => uPlot;
  /** What the drawing depends on. */
  inputs: readonly unknown[];
  /** What only the marks on it depend on. */
  marks?: readonly unknown[];
  /** The time of the chosen point, in seconds. */
  cursorSeconds: number | undefined;
  onHover: (index: number | undefined) => void;
  onClick?: (index: number) => void;
}

export function PlotHost({ draw, inputs, marks = [], cursorSeconds, onHover, onClick }: PlotHostProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const clicking = useRef(onClick);
  clicking.current = onClick;
  useEffect(() => {
    const element = host.current;
    if (!element) return undefined;
    let isHovered = false;
    const redraw = (): void => {
      plot.current?.destroy();
      plot.current = draw(element, (index) => {
        if (isHovered) onHover(index);
      });
    };
    redraw();
    const observer = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height: chartPixels }),
    );
    observer.observe(element);
    darkScheme.addEventListener('change', redraw);
    const enter = (): void => {
      isHovered = true;
    };
    const leave = (): void => {
      isHovered = false;
    };
    const click = (): void => {
      const index = plot.current?.cursor.idx;
      if (index !== null && index !== undefined) clicking.current?.(index);
    };
    element.addEventListener('pointerenter', enter);
    element.addEventListener('pointerleave', leave);
    element.addEventListener('click', click);
    return () => {
      observer.disconnect();
      darkScheme.removeEventListener('change', redraw);
      element.removeEventListener('pointerenter', enter);
      element.removeEventListener('pointerleave', leave);
      element.removeEventListener('click', click);
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [...inputs]);
  useEffect(() => {
    const chart = plot.current;
    if (chart && cursorSeconds !== undefined)
      chart.setCursor({ left: chart.valToPos(cursorSeconds, 'x'), top: 10 }, false);
  }, [cursorSeconds]);
  useEffect(() => plot.current?.redraw(false), [...marks]);
  return <div class="plot" ref={host} />;
}
