// How the person is doing at a glance: today, the last night, the scores, and what is stale.
import type { ComponentChildren } from 'preact';
import { addDays } from '../../../../../../shared/platform/time/local-day.ts';
import { address, environment, hrefOf } from '../../address/address.ts';
import { v1 } from '../../api/client.ts';
import { unwrap } from '../../api/failures.ts';
import { Panel } from '../../parts/panel.tsx';
import { RelativeTime } from '../../parts/time.tsx';
import {
  formatDay,
  formatNumber,
  formatValue,
  growsDuringTheDay,
  isGrowingScore,
  nameOfDevice,
  nameOfMetric,
  sayDay,
} from '../../state/format.ts';
import { now } from '../../state/now.ts';
import { useResource } from '../../state/resource.ts';
import { words } from '../../words/en.ts';
import { listNewest, type NewestValue, type PersonDays, type ShownMetric } from './measured-metrics.ts';
import type { PersonContext } from './person-state.ts';
import { shownScores } from './scores-tab.tsx';
import { listStaleDevices, listStaleValues } from './staleness.ts';
import { nameWhy } from './why-panel.tsx';

interface DaySummaryProps {
  metrics: readonly ShownMetric[];
  daily: PersonDays;
  context: PersonContext;
}

/** The first of these that have a value of the day. */
const dayMetrics = ['steps', 'active_calories', 'exercise', 'resting_heart_rate', 'heart_rate', 'weight'];
const nightMetrics = ['asleep', 'sleep_efficiency', 'sleep_heart_rate', 'sleep_heart_rate_variability'];
const maxFacts = 4;
const maxStale = 3;
/** An older score says nothing about how the person is now. */
const recentScoreDays = 7;

export function DaySummary({ metrics, daily, context }: DaySummaryProps) {
  const { today } = context;
  const texts = words.person.summary;
  const newest = listNewest(metrics, daily);
  const night = newest.find(({ metric }) => metric.id === 'asleep')?.date;
  const ofDay = (ids: readonly string[], date: string | undefined): NewestValue[] =>
    ids.flatMap((id) => newest.find((each) => each.metric.id === id && each.date === date) ?? []).slice(0, maxFacts);
  return (
    <section class="day-summary" aria-label={texts.label}>
      <Part title={texts.today}>
        <Facts values={ofDay(dayMetrics, today)} today={today} none={texts.nothingToday} />
      </Part>
      <Part title={night === undefined || night === today ? texts.lastNight : texts.newestNight(formatDay(night))}>
        <Facts values={ofDay(nightMetrics, night)} today={today} none={texts.noNight} />
      </Part>
      <Part title={texts.scores}>
        <Scores context={context} />
      </Part>
      <Part title={texts.stale}>
        <Stale newest={newest} context={context} />
      </Part>
    </section>
  );
}

const Part = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <div>
    <h3>{title}</h3>
    {children}
  </div>
);

function Facts({ values, today, none }: { values: readonly NewestValue[]; today: string; none: string }) {
  if (values.length === 0) return <p class="muted">{none}</p>;
  return (
    <dl>
      {values.map(({ metric, date, value }) => (
        <Fact key={metric.id} name={nameOfMetric(metric)} why={{ id: metric.id, date }}>
          {formatValue(value, metric)}
          {date === today && growsDuringTheDay(metric) && <small> {words.time.soFar}</small>}
        </Fact>
      ))}
    </dl>
  );
}

interface FactProps {
  name: string;
  /** What explains the value, if there is one. */
  why?: { id: string; date: string };
  children: ComponentChildren;
}

function Fact({ name, why, children }: FactProps) {
  const { path, query } = address.value;
  return (
    <>
      <dt>{name}</dt>
      <dd>{why ? <a href={hrefOf(path, { ...query, ...nameWhy(why.id, why.date) })}>{children}</a> : children}</dd>
    </>
  );
}

function Scores({ context: { person, range, today } }: { context: PersonContext }) {
  const from_date = range.days > recentScoreDays ? addDays(today, 1 - recentScoreDays) : range.from;
  const query = { from_date, to_date: today };
  const scores = useResource(`summary scores ${environment.value} ${person.id} ${from_date} ${today}`, () =>
    unwrap(v1.GET('/v1/users/{id}/scores', { params: { path: { id: person.id }, query } })),
  );
  return (
    <Panel of={scores} minHeight="7rem">
      {({ latest, status }) => (
        <dl>
          {shownScores.map((id) => {
            const score = latest[id];
            const name = words.person.scores.names[id];
            if (score)
              return (
                <Fact key={id} name={name} why={{ id, date: score.date }}>
                  {formatNumber(score.value, 0)}
                  {(score.date !== today || isGrowingScore(id)) && (
                    <small> {sayDay(score.date, today, isGrowingScore(id))}</small>
                  )}
                </Fact>
              );
            return (
              <Fact key={id} name={name}>
                <span class="muted">{words.person.scores.states[status[id]?.status ?? 'missing']}</span>
              </Fact>
            );
          })}
        </dl>
      )}
    </Panel>
  );
}

function Stale({ newest, context: { devices, today } }: { newest: readonly NewestValue[]; context: PersonContext }) {
  const texts = words.person.summary;
  const staleDevices = listStaleDevices(devices, now.value);
  const staleValues = listStaleValues(newest, today);
  if (staleDevices.length + staleValues.length === 0) return <p class="muted">{texts.nothingStale}</p>;
  const hidden = staleValues.length - maxStale;
  return (
    <ul>
      {staleDevices.map((device) => (
        <li key={device.id}>
          {nameOfDevice(device)}{' '}
          <span class="muted">
            {device.last_sync_at === null ? (
              words.person.devices.problems.failed
            ) : (
              <>
                {words.person.devices.silent} <RelativeTime at={device.last_sync_at} />
              </>
            )}
          </span>
        </li>
      ))}
      {staleValues.slice(0, maxStale).map(({ metric, date }) => (
        <li key={metric.id}>
          {nameOfMetric(metric)} <span class="muted">{texts.lastValue(formatDay(date))}</span>
        </li>
      ))}
      {hidden > 0 && <li class="muted">{texts.more(hidden)}</li>}
    </ul>
  );
}
