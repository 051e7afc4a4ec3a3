// The person's workouts; the one that the address names is open, with its trace.

import { toDisplayLine } from '../../../../../../shared/platform/display-line.ts';
import { address, environment, hrefOf } from '../../address/address.ts';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { HeartTrace } from '../../charts/heart-trace.tsx';
import { SampleBlock } from '../../parts/copy.tsx';
import { Panel } from '../../parts/panel.tsx';
import { DataTable } from '../../parts/table.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import { formatMinutes, formatValue, nameOfProvider, nameOfWorkoutType } from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import type { PersonContext } from './person-state.ts';
import { RangeSwitch } from './range-switch.tsx';

export function WorkoutsTab({ context }: { context: PersonContext }) {
  const { person, range } = context;
  const query = { from_date: range.from, to_date: range.to } as const;
  const workouts = useResource(`workouts ${environment.value} ${person.id} ${range.from} ${range.to}`, () =>
    unwrap(v1.GET('/v1/users/{id}/workouts', { params: { path: { id: person.id }, query } })),
  );
  const opened = address.value.query['workout'];
  const { path } = address.value;
  return (
    <>
      <RangeSwitch context={context} />
      {opened !== undefined && <OpenWorkout context={context} id={opened} />}
      <Panel
        of={workouts}
        minHeight="20rem"
        isEmpty={({ data }) => data.length === 0}
        empty={words.person.workouts.empty}
      >
        {({ data, next_cursor }) => (
          <>
            <DataTable
              caption={words.person.tabs.workouts}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                {
                  id: 'type',
                  name: words.person.workouts.type,
                  cell: ({ id, type }) => (
                    <a href={hrefOf(path, { ...address.value.query, workout: id })}>{nameOfWorkoutType(type)}</a>
                  ),
                },
                {
                  id: 'when',
                  name: words.person.workouts.when,
                  cell: ({ start_at }) => <RelativeTime at={start_at} />,
                },
                {
                  id: 'minutes',
                  name: words.person.workouts.duration,
                  isNumber: true,
                  cell: ({ duration_minutes }) => formatMinutes(duration_minutes),
                },
                {
                  id: 'km',
                  name: words.person.workouts.distance,
                  isNumber: true,
                  cell: ({ distance_km }) =>
                    distance_km === null ? words.none : formatValue(distance_km, { unit: 'km', precision: 2 }),
                },
                {
                  id: 'bpm',
                  name: words.person.workouts.heartRate,
                  isNumber: true,
                  cell: ({ avg_heart_rate }) =>
                    avg_heart_rate === null ? words.none : formatValue(avg_heart_rate, { unit: 'bpm', precision: 0 }),
                },
                { id: 'source', name: words.chart.source, cell: ({ source }) => nameOfProvider(source) },
              ]}
            />
            {next_cursor !== null && <p class="muted">{words.person.moreInRange}</p>}
            <SampleBlock
              sample={{
                method: 'GET',
                path: `/v1/users/${person.id}/workouts?from_date=${range.from}&to_date=${range.to}`,
              }}
            />
          </>
        )}
      </Panel>
    </>
  );
}

function OpenWorkout({ context: { person }, id }: { context: PersonContext; id: string }) {
  const workout = useResource(`workout ${environment.value} ${person.id} ${id}`, () =>
    unwrap(v1.GET('/v1/users/{id}/workouts/{workout_id}', { params: { path: { id: person.id, workout_id: id } } })),
  );
  const { path, query } = address.value;
  return (
    <Panel of={workout} minHeight="12rem">
      {(data) => (
        <figure class="chart">
          <figcaption>
            <h3>{toDisplayLine(data.name)}</h3>
            <a class="copy-button" href={hrefOf(path, { ...query, workout: null })}>
              {words.close}
            </a>
          </figcaption>
          {data.heart_rate && data.heart_rate.samples.length > 1 ? (
            <HeartTrace
              heartRate={data.heart_rate}
              name={toDisplayLine(data.name)}
              startTime={data.start_time}
              durationMinutes={data.duration_minutes}
            />
          ) : (
            <p class="muted">{words.person.workouts.noTrace}</p>
          )}
        </figure>
      )}
    </Panel>
  );
}
