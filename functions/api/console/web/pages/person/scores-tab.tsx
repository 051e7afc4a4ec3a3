// The person's scores by day, each with its factors on a click.
import { changeQuery, environment } from '../../address/address.ts';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { DayChart } from '../../charts/day-chart.tsx';
import { countAxis } from '../../charts/value-axis.ts';
import { Panel } from '../../parts/panel.tsx';
import { formatNumber, isGrowingScore, sayDay } from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import type { PersonContext } from './person-state.ts';
import { RangeSwitch } from './range-switch.tsx';
import { nameWhy, readWhy, WhyPanel } from './why-panel.tsx';

export const shownScores = [
  'sleep_score',
  'recovery_score',
  'strain_score',
  'nutrition_score',
  'stress_score',
] as const;

const formatScore = (value: number): string => formatNumber(value, 0);

export function ScoresTab({ context }: { context: PersonContext }) {
  const { person, range, today } = context;
  const query = { from_date: range.from, to_date: range.to } as const;
  const scores = useResource(
    `scores ${environment.value} ${person.id} ${range.from} ${range.to}`,
    () => unwrap(v1.GET('/v1/users/{id}/scores', { params: { path: { id: person.id }, query } })),
    { isLive: true },
  );
  const why = readWhy();
  return (
    <>
      <RangeSwitch context={context} />
      <Panel of={scores} minHeight="30rem">
        {(data) => (
          <div class="charts">
            {shownScores.map((id) => {
              const latest = data.latest[id];
              return (
                <DayChart
                  key={id}
                  id={`score-${id}`}
                  name={words.person.scores.names[id]}
                  dates={data.dates}
                  values={data.series[id] ?? []}
                  kind="rate"
                  format={formatScore}
                  axis={countAxis}
                  today={data.dates.includes(today) ? today : undefined}
                  colorName="--value"
                  picked={why?.metric === id ? why.date : undefined}
                  onPick={(date) => changeQuery(nameWhy(id, date))}
                  sample={{
                    method: 'GET',
                    path: `/v1/users/${person.id}/scores?types=${id}&from_date=${range.from}&to_date=${range.to}`,
                  }}
                  headline={
                    latest ? (
                      <>
                        <strong>{latest.value}</strong>{' '}
                        <span class="muted">{sayDay(latest.date, today, isGrowingScore(id))}</span>
                      </>
                    ) : (
                      <span class="muted">{words.person.scores.states[data.status[id]?.status ?? 'missing']}</span>
                    )
                  }
                />
              );
            })}
          </div>
        )}
      </Panel>
      {why && <WhyPanel context={context} metric={why.metric} date={why.date} />}
    </>
  );
}
