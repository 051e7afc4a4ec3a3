// The range of days, in the address: its length, and its last day unless that is today.
import { addDays } from '../../../../../../shared/platform/time/local-day.ts';
import { address, hrefOf } from '../../address/address.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { formatDayRange } from '../../state/format.ts';
import { words } from '../../words/en.ts';
import { defaultRangeDays, type PersonContext, rangeLengths } from './person-state.ts';

export function RangeSwitch({ context: { range, today } }: { context: PersonContext }) {
  const { path, query } = address.value;
  const earlier = addDays(range.to, -range.days);
  const later = addDays(range.to, range.days);
  return (
    <div class="range">
      <a class="button" href={hrefOf(path, { ...query, to: earlier })} aria-label={words.person.range.earlier}>
        ‹
      </a>
      <span>{formatDayRange(range.from, range.to)}</span>
      {range.to < today ? (
        <a
          class="button"
          href={hrefOf(path, { ...query, to: later >= today ? null : later })}
          aria-label={words.person.range.later}
        >
          ›
        </a>
      ) : (
        <span class="button disabled" aria-hidden="true">
          ›
        </span>
      )}
      <Tabs
        label={words.person.range.label}
        name="days"
        defaultId={String(defaultRangeDays)}
        choices={rangeLengths.map((days) => ({ id: String(days), name: words.person.range.days(days) }))}
        current={String(range.days)}
        isSmall
      />
    </div>
  );
}
