// A time as people say it, with the exact one in a tooltip and for screen readers.
import { formatExactTime, formatMoment, formatRelativeTime } from '../state/format.ts';
import { now } from '../state/now.ts';

export function RelativeTime({ at }: { at: string }) {
  const date = new Date(at);
  // The signal says when the time is written again. It may be older than data that has just arrived.
  const nowMs = Math.max(now.value, Date.now());
  return (
    <time dateTime={at} title={formatExactTime(date)}>
      {formatRelativeTime(date, nowMs)}
      <span class="visually-hidden">, {formatExactTime(date)}</span>
    </time>
  );
}

/** A time in a sentence that says since when. */
export const Moment = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatExactTime(new Date(at))}>
    {formatMoment(new Date(at))}
  </time>
);
