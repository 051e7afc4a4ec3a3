// The person's nights. A night belongs to the day of waking; its times are those of the place.
import { environment } from '../../address/address.ts';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Hypnogram } from '../../charts/hypnogram.tsx';
import { DeviceSwatch } from '../../charts/patterns.tsx';
import { SampleBlock } from '../../parts/copy.tsx';
import { Panel } from '../../parts/panel.tsx';
import { formatDay, formatMinutes, formatNumber } from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import { nameOfDevice, type PersonContext } from './person-state.ts';
import { RangeSwitch } from './range-switch.tsx';

export function NightsTab({ context }: { context: PersonContext }) {
  const { person, range, devices, marks } = context;
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
            <ul class="sessions" aria-label={words.person.tabs.nights}>
              {data.map((night) => {
                const device = devices.find(({ id }) => id === night.source_detail?.device_id);
                return (
                  <li key={night.id}>
                    <h3>
                      {formatDay(night.date, 'long')}
                      {!night.is_main_sleep && <span class="muted"> · {words.person.nights.nap}</span>}
                    </h3>
                    <p class="muted">
                      {night.start_time.slice(11, 16)} – {night.end_time.slice(11, 16)} ·{' '}
                      {words.person.nights.asleep(
                        night.asleep_minutes === null ? words.chart.missing : formatMinutes(night.asleep_minutes),
                      )}
                      {night.efficiency_pct !== null && ` · ${formatNumber(night.efficiency_pct, 0)} %`} ·{' '}
                      <DeviceSwatch mark={device && marks.get(device.id)} />{' '}
                      {device ? nameOfDevice(device) : night.source}
                    </p>
                    {night.stages && night.stages.length > 0 ? (
                      <Hypnogram stages={night.stages} />
                    ) : (
                      <p class="muted">{words.person.nights.noStages}</p>
                    )}
                  </li>
                );
              })}
            </ul>
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
