// Is anything wrong? What needs attention comes first; a new account sees its first three requests.
import { environment } from '../address/address.ts';
import { consoleClient } from '../api/client.ts';
import { unwrap } from '../api/failures.ts';
import { type RequestSample, SampleBlock } from '../parts/copy.tsx';
import { Link } from '../parts/link.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { formatNumber } from '../state/format.ts';
import { useResource } from '../state/resource.ts';
import { words } from '../words/en.ts';
import { AttentionList } from './overview/attention-list.tsx';

export function OverviewPage() {
  const overview = useResource(
    `overview ${environment.value}`,
    () => unwrap(consoleClient.GET('/console/api/overview')),
    {
      isLive: true,
    },
  );
  return (
    <>
      <PageHead title={words.overview.title} lead={words.overview.lead} />
      <Panel of={overview} minHeight="16rem">
        {({ people, events, attention }) => (
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
          </>
        )}
      </Panel>
    </>
  );
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
