// Is anything wrong? What needs attention comes first, then what happened by hour; a new account sees
// its first three requests.
import { address, environment } from '../address/address.ts';
import { consoleClient } from '../api/client.ts';
import { unwrap } from '../api/failures.ts';
import { type RequestSample, SampleBlock } from '../parts/copy.tsx';
import { Link } from '../parts/link.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { formatNumber } from '../state/format.ts';
import { useResource } from '../state/resource.ts';
import { words } from '../words/en.ts';
import { AttentionList } from './overview/attention-list.tsx';
import { OverviewCharts } from './overview/overview-charts.tsx';

export function OverviewPage() {
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
              <OverviewCharts series={series} />
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
