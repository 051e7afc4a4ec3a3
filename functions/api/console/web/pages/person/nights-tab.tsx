// The person's nights. A night belongs to the day of waking; its times are those of the person's zone.
// A line between two nights says that the person was in another zone, or that the clocks changed.
import { environment } from '../../address/address.ts';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Hypnogram, NightHours } from '../../charts/hypnogram.tsx';
import { chooseNightClock } from '../../charts/night-clock.ts';
import { DeviceSwatch } from '../../charts/patterns.tsx';
import { SampleBlock } from '../../parts/copy.tsx';
import { Panel } from '../../parts/panel.tsx';
import { DataTable } from '../../parts/table.tsx';
import {
  formatDay,
  formatLocalClock,
  formatMinutes,
  formatPercent,
  nameOfDevice,
  nameOfProvider,
} from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import type { PersonContext } from './person-state.ts';
import { RangeSwitch } from './range-switch.tsx';
import { findZoneChanges, formatOffset, type ZoneChange } from './zone-changes.ts';

type Night = Schemas['SleepSession'];

export function NightsTab({ context }: { context: PersonContext }) {
  const { person, range } = context;
  const query = { from_date: range.from, to_date: range.to, include_sources: true, include_stages: true } as const;
  const nights = useResource(`nights ${environment.value} ${person.id} ${range.from} ${range.to}`, () =>
    unwrap(v1.GET('/v1/users/{id}/sleep', { params: { path: { id: person.id }, query } })),
  );
  return (
    <>
      <RangeSwitch context={context} />
      <Panel of={nights} minHeight="30rem" isEmpty={({ data }) => data.length === 0} empty={words.person.nights.empty}>
        {({ data, next_cursor }) => (
          <>
            <NightList nights={data} context={context} />
            {next_cursor !== null && <p class="muted">{words.person.moreInRange}</p>}
            <SampleBlock
              sample={{
                method: 'GET',
                path: `/v1/users/${person.id}/sleep?from_date=${range.from}&to_date=${range.to}&include_stages=true`,
              }}
            />
          </>
        )}
      </Panel>
    </>
  );
}

function NightList({
  nights,
  context: { devices, marks, zone },
}: {
  nights: readonly Night[];
  context: PersonContext;
}) {
  const changes = new Map(findZoneChanges(nights, zone).map((change) => [change.nightId, change]));
  const clock = chooseNightClock(nights);
  const changedNights = nights.filter(({ id }) => changes.has(id));
  const describe = ({ id }: Night): string => describeChange(changes.get(id), zone);
  return (
    <>
      {changedNights.length > 0 && <p class="muted">{words.person.nights.timesIn(zone ?? 'UTC')}</p>}
      <NightHours clock={clock} />
      <ul class="sessions" aria-label={words.person.tabs.nights}>
        {nights.map((night) => {
          const device = devices.find(({ id }) => id === night.source_detail?.device_id);
          return (
            <li key={night.id}>
              <h3>
                {formatDay(night.date, 'long')}
                {!night.is_main_sleep && <span class="muted"> · {words.person.nights.nap}</span>}
              </h3>
              <p class="muted">
                {formatLocalClock(night.start_time)} – {formatLocalClock(night.end_time)} ·{' '}
                {words.person.nights.asleep(
                  night.asleep_minutes === null ? words.chart.missing : formatMinutes(night.asleep_minutes),
                )}
                {night.efficiency_pct !== null && ` · ${formatPercent(night.efficiency_pct / 100)}`} ·{' '}
                <DeviceSwatch mark={device && marks.get(device.id)} />{' '}
                {device ? nameOfDevice(device) : nameOfProvider(night.source)}
              </p>
              {night.stages && night.stages.length > 0 ? (
                <Hypnogram stages={night.stages} date={night.date} clock={clock} />
              ) : (
                <p class="muted">{words.person.nights.noStages}</p>
              )}
              {/* The newest night stands first: what happened before it stands below. */}
              {changes.has(night.id) && <p class="zone-change">{describe(night)}</p>}
            </li>
          );
        })}
      </ul>
      {changedNights.length > 0 && (
        <DataTable
          caption={words.person.nights.changes}
          rows={changedNights}
          keyOf={({ id }) => id}
          columns={[
            { id: 'night', name: words.person.nights.changedBefore, cell: ({ date }) => formatDay(date, 'long') },
            { id: 'change', name: words.person.nights.change, cell: describe },
          ]}
        />
      )}
    </>
  );
}

function describeChange(change: ZoneChange | undefined, zone: string): string {
  if (!change) return '';
  const { from, to, isClockChange } = change;
  const offsets = words.person.nights.offsets(formatOffset(from), formatOffset(to));
  return isClockChange ? words.person.nights.clockChange(zone, offsets) : words.person.nights.zoneChange(offsets);
}
