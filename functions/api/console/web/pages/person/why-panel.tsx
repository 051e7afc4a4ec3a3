// Why this number: what the API explains, drawn, and nothing that the browser has worked out.

import { toDisplayLine } from '../../../../../../shared/platform/display-line.ts';
import { address, closeDrawer, drawerParameter, environment, hrefOf } from '../../address/address.ts';
import { type Schemas, v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { DayPeriods } from '../../charts/day-periods.tsx';
import { CopyButton, SampleBlock } from '../../parts/copy.tsx';
import { Drawer } from '../../parts/dialog.tsx';
import { Panel } from '../../parts/panel.tsx';
import { DataTable } from '../../parts/table.tsx';
import { useMetricCatalog } from '../../state/catalog.ts';
import {
  formatDay,
  formatNumber,
  formatValue,
  growsDuringTheDay,
  isGrowingScore,
  nameOfId,
  nameOfMetric,
  nameOfPerson,
} from '../../state/format.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import type { PersonContext } from './person-state.ts';

type MetricExplanation = Schemas['MetricExplanation'];
type ScoreExplanation = Schemas['ScoreExplanation'];
type Explanation = MetricExplanation | ScoreExplanation;

/** `why=steps:2026-11-15` in the address. */
export function readWhy(): { metric: string; date: string } | undefined {
  const [metric, date] = (address.value.query[drawerParameter] ?? '').split(':');
  return metric && date ? { metric, date } : undefined;
}

export const nameWhy = (metric: string, date: string) => ({ [drawerParameter]: `${metric}:${date}` });

interface WhyPanelProps {
  context: PersonContext;
  metric: string;
  date: string;
}

export function WhyPanel({ context, metric, date }: WhyPanelProps) {
  const { person } = context;
  const explanation = useResource(`why ${environment.value} ${person.id} ${metric} ${date}`, () =>
    unwrap(
      v1.GET('/v1/users/{id}/daily/{date}/{metric}/explanation', { params: { path: { id: person.id, date, metric } } }),
    ),
  );
  return (
    <Drawer title={words.why.title} topic={`${metric} ${date}`} onClose={closeDrawer}>
      <Panel of={explanation} minHeight="20rem">
        {({ data }) => (
          <>
            <WhyValue data={data} />
            {data.sentences.map((sentence) => (
              <p key={sentence}>{toDisplayLine(sentence)}</p>
            ))}
            {data.kind === 'metric' ? <WhyMetric data={data} context={context} /> : <WhyScore data={data} />}
            <div class="actions">
              <CopyButton text={JSON.stringify(data, null, 2)} label={words.why.asJson} />
              <span class="muted">{words.why.asJson}</span>
              <CopyButton text={supportAnswer(data, nameOfPerson(person))} label={words.why.asAnswer} />
              <span class="muted">{words.why.asAnswer}</span>
            </div>
            {data.kind === 'metric' && (
              <p>
                <a href={hrefOf(address.value.path, { tab: 'consolidation', metric: data.rule.key })}>
                  {words.why.change}
                </a>
              </p>
            )}
            <h3>{words.code.heading}</h3>
            <SampleBlock
              sample={{ method: 'GET', path: `/v1/users/${person.id}/daily/${date}/${metric}/explanation` }}
            />
            {data.kind === 'metric' && <SampleBlock sample={{ method: 'GET', path: data.samples_url }} />}
          </>
        )}
      </Panel>
    </Drawer>
  );
}

function useMetric(id: string) {
  return useMetricCatalog().data.value?.metrics.find((metric) => metric.id === id);
}

function WhyValue({ data }: { data: Explanation }) {
  const metric = useMetric(data.metric);
  const isSoFar = data.state === 'open' && (metric ? growsDuringTheDay(metric) : isGrowingScore(data.metric));
  const value =
    data.value === null ? words.why.noValue : metric ? formatValue(data.value, metric) : formatNumber(data.value);
  return (
    <>
      <p class="why-value">
        <strong>{value}</strong> {metric ? nameOfMetric(metric) : nameOfId(data.metric)}
      </p>
      <p class="muted">
        {formatDay(data.date, 'long')} ({data.timezone}){isSoFar ? ` · ${words.time.todaySoFar}` : ''}
        {data.pending ? ` · ${words.why.pending}` : ''}
      </p>
    </>
  );
}

function WhyMetric({ data, context }: { data: MetricExplanation; context: PersonContext }) {
  const metric = useMetric(data.metric);
  const format = (value: number | null): string =>
    value === null ? words.none : metric ? formatValue(value, metric) : formatNumber(value);
  const { method, overridden } = data.rule;
  return (
    <>
      <p class="muted">
        {words.why.methods[method]} · {overridden ? words.why.overridden : words.why.isDefault}
      </p>
      {data.periods.length > 0 && (
        <DayPeriods
          date={data.date}
          zone={data.timezone}
          periods={data.periods}
          devices={data.devices.map(({ device_id, name }) => ({
            id: device_id,
            name: toDisplayLine(name),
            mark: context.marks.get(device_id),
          }))}
        />
      )}
      <DataTable
        caption={words.why.devices}
        rows={data.devices}
        keyOf={({ device_id }) => device_id}
        columns={[
          {
            id: 'device',
            name: words.why.device,
            cell: ({ name, enabled }) => (enabled ? name : words.why.disabled(name)),
          },
          { id: 'rank', name: words.why.rank, isNumber: true, cell: ({ rank }) => String(rank) },
          { id: 'own', name: words.why.ownValue, isNumber: true, cell: ({ own_value }) => format(own_value) },
          { id: 'counted', name: words.why.counted, isNumber: true, cell: ({ counted }) => format(counted) },
        ]}
      />
    </>
  );
}

function WhyScore({ data }: { data: ScoreExplanation }) {
  const link = (input: string | undefined) =>
    input === undefined ? (
      words.none
    ) : (
      <a href={hrefOf(address.value.path, { ...address.value.query, ...nameWhy(input, data.date) })}>
        {nameOfId(input)}
      </a>
    );
  return (
    <>
      {data.factors.length > 0 && (
        <DataTable
          caption={words.why.factors}
          rows={data.factors}
          keyOf={({ name }) => name}
          columns={[
            { id: 'factor', name: words.why.factor, cell: ({ name }) => nameOfId(name) },
            {
              id: 'points',
              name: words.why.contribution,
              isNumber: true,
              cell: ({ contribution }) => String(contribution),
            },
            {
              id: 'input',
              name: words.why.input,
              cell: ({ input, explanation_url }) => link(explanation_url === null ? undefined : input),
            },
          ]}
        />
      )}
      {data.missing_inputs.length > 0 && (
        <>
          <h3>{words.why.missingInputs}</h3>
          <ul>
            {data.missing_inputs.map(({ input }) => (
              <li key={input}>{link(input)}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const supportAnswer = (data: Explanation, person: string): string =>
  [words.why.answerHead(nameOfId(data.metric), formatDay(data.date, 'long'), person), ...data.sentences].join('\n');
