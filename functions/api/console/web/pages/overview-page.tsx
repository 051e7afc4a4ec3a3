// Is anything wrong? What needs attention comes first, then what happened by hour; a new account sees
// its first three requests.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { address, environment } from '../address/address.ts';
import { type ConsoleSchemas, consoleClient } from '../api/client.ts';
import { unwrap } from '../api/failures.ts';
import { type RequestSample, SampleBlock } from '../parts/copy.tsx';
import { Link } from '../parts/link.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { FailureNote, Panel, Skeleton } from '../parts/panel.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { formatNumber } from '../state/format.ts';
import { reloadOnce } from '../state/reload-once.ts';
import { useResource } from '../state/resource.ts';
import { words } from '../words/en.ts';
import { AttentionList } from './overview/attention-list.tsx';

type ChartsProps = { series: ConsoleSchemas['OverviewSeries'] };
type LoadCharts = () => Promise<ComponentType<ChartsProps>>;

export const createOverviewPage = (loadCharts: LoadCharts) => () => <OverviewPage loadCharts={loadCharts} />;

function OverviewPage({ loadCharts }: { loadCharts: LoadCharts }) {
  const range = readRange();
  const overview = useResource(
    `overview ${environment.value} ${range}`,
    () => unwrap(consoleClient.GET('/console/api/overview', { params: { query: { range } } })),
    { isLive: true },
  );
  return (
    <>
      <PageHead title={words.overview.title} lead={words.overview.lead} />
      <Panel of={overview} minHeight="16rem">
        {({ people, events, series, attention }) => (
          <>
            <AttentionList items={attention} />
            <section aria-labelledby="now-title" class="overview-part">
              <h2 id="now-title">{words.overview.now}</h2>
              <dl class="fact-list figures">
                <div>
                  <dt>{words.overview.people}</dt>
                  <dd>{formatNumber(people)}</dd>
                  <dd>
                    <Link to="/people">{words.overview.showPeople}</Link>
                  </dd>
                </div>
                <div>
                  <dt>{words.overview.events}</dt>
                  <dd>{formatNumber(events)}</dd>
                  <dd>
                    <Link to="/events">{words.overview.showEvents}</Link>
                  </dd>
                </div>
              </dl>
            </section>
            {people <= demoPeople && <FirstSteps />}
            <section aria-labelledby="charts-title" class="overview-part">
              <h2 id="charts-title">{words.overview.charts}</h2>
              <Tabs
                label={words.overview.range}
                name="range"
                choices={ranges.map((id) => ({ id, name: words.overview.ranges[id] }))}
                current={range}
                isSmall
              />
              <p class="muted">{words.overview.chartsLead}</p>
              <LateCharts load={loadCharts} series={series} />
            </section>
          </>
        )}
      </Panel>
    </>
  );
}

const ranges = ['24h', '7d', '30d'] as const;
type Range = (typeof ranges)[number];

const readRange = (): Range => ranges.find((range) => range === address.value.query['range']) ?? '24h';

function LateCharts({ load, series }: ChartsProps & { load: LoadCharts }) {
  const [loaded, setLoaded] = useState<{ Charts?: ComponentType<ChartsProps>; failure?: Error }>({});
  useEffect(() => {
    load().then(
      (Charts) => setLoaded({ Charts }),
      (error: unknown) => {
        if (!reloadOnce(error)) setLoaded({ failure: error instanceof Error ? error : new Error(String(error)) });
      },
    );
  }, [load]);
  if (loaded.failure) return <FailureNote failure={loaded.failure} retry={() => location.reload()} />;
  return loaded.Charts ? <loaded.Charts series={series} /> : <Skeleton minHeight="40rem" />;
}

/** The first start on a laptop creates one person. */
const demoPeople = 1;

const firstRequests: readonly RequestSample[] = [
  { method: 'POST', path: '/v1/users', body: { external_ref: 'member-1', timezone: 'Europe/Berlin' } },
  { method: 'GET', path: '/v1/users' },
  { method: 'GET', path: '/v1/events' },
];

const FirstSteps = () => (
  <section aria-labelledby="steps-title" class="overview-part">
    <h2 id="steps-title">{words.overview.steps}</h2>
    <p class="muted">{words.overview.stepsLead}</p>
    <ol class="first-steps">
      {firstRequests.map((sample, at) => (
        <li key={sample.method + sample.path}>
          <h3>
            {at + 1}. {words.overview.stepTitles[at]}
          </h3>
          <SampleBlock sample={sample} />
        </li>
      ))}
    </ol>
  </section>
);
