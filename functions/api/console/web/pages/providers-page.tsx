// What can people connect? Each provider with what it still needs, and who measures what.
import { address, environment, hrefOf } from '../address/address.ts';
import { type Schemas, v1 } from '../api/client.ts';
import { unwrap } from '../api/failures.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Column, DataTable } from '../parts/table.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { formatList, formatMinutes, formatNumber, nameOfMetric } from '../state/format.ts';
import { useResource } from '../state/resource.ts';
import { words } from '../words/en.ts';

type Provider = Schemas['Provider'];
type Metric = Schemas['Metric'];
type Category = Schemas['MetricCategory'];

export function ProvidersPage() {
  const catalogs = useResource(`providers ${environment.value}`, readCatalogs);
  return (
    <>
      <PageHead title={words.providers.title} lead={words.providers.lead} />
      {environment.value === 'sandbox' && (
        <p class="muted">
          {words.providers.sandboxNote} <a href={hrefOf('/providers', { env: 'live' })}>{words.providers.seeLive}</a>
        </p>
      )}
      <Panel of={catalogs} minHeight="60rem">
        {({ providers, metrics }) => (
          <>
            {providers.some(({ available }) => !available) && <p class="muted">{words.providers.missingNote}</p>}
            <section class="page-section stack">
              <h2>{words.providers.clouds}</h2>
              <ul class="provider-cards">
                {providers
                  .filter(({ connection }) => connection === 'cloud')
                  .map((provider) => (
                    <ProviderCard key={provider.id} provider={provider} />
                  ))}
              </ul>
            </section>
            <section class="page-section stack">
              <h2>{words.providers.phones}</h2>
              <p class="muted">{words.providers.phonesNote}</p>
              <ul class="provider-cards">
                {providers
                  .filter(({ connection }) => connection === 'sdk')
                  .map((provider) => (
                    <ProviderCard key={provider.id} provider={provider} />
                  ))}
              </ul>
            </section>
            <Coverage providers={providers} metrics={metrics} />
          </>
        )}
      </Panel>
    </>
  );
}

async function readCatalogs(): Promise<{ providers: Provider[]; metrics: Metric[] }> {
  const [{ providers }, { metrics }] = await Promise.all([
    unwrap(v1.GET('/v1/providers', { params: { query: { connection: 'all', include: 'unavailable' } } })),
    unwrap(v1.GET('/v1/metrics')),
  ]);
  return { providers, metrics };
}

function ProviderCard({ provider }: { provider: Provider }) {
  const { id, name, available, connection, categories } = provider;
  const guide = `/docs/providers/${id}`;
  return (
    <li class="provider-card">
      <h3>{name}</h3>
      {connection === 'cloud' && <ProviderState isReady={available} />}
      {!available && (
        <p>
          {words.providers.missingSettings} <code>{provider.missing.join(', ')}</code>
          <br />
          <a href={`${guide}#register`}>{words.providers.register(name)}</a>
          <br />
          <a href={`${guide}#credentials`}>{words.providers.credentials(name)}</a>
        </p>
      )}
      <dl class="facts">
        <dt>{words.providers.device}</dt>
        <dd>{words.providers.deviceTypes[provider.device_type]}</dd>
        <dt>{words.providers.arrival}</dt>
        <dd>{describeArrival(provider)}</dd>
        <dt>{words.providers.history}</dt>
        <dd>{words.providers.historyDays(formatNumber(provider.history_days))}</dd>
        <dt>{words.providers.measures}</dt>
        <dd>{formatList(categories.map((category) => words.providers.categories[category].toLowerCase()))}</dd>
      </dl>
      {available && (
        <p>
          <a href={guide}>{words.providers.guide(name)}</a>
        </p>
      )}
    </li>
  );
}

function ProviderState({ isReady }: { isReady: boolean }) {
  if (!isReady) return <p class="state state-waiting">{words.providers.missing}</p>;
  return (
    <p class="state state-good">
      {environment.value === 'sandbox' ? words.providers.simulated : words.providers.ready}
    </p>
  );
}

function describeArrival({ connection, delivery, poll_interval_seconds: seconds }: Provider): string {
  if (connection === 'sdk') return words.providers.delivery.upload;
  if (seconds === null) return words.providers.delivery.push;
  return words.providers.delivery[delivery.includes('push') ? 'both' : 'poll'](formatMinutes(seconds / 60));
}

function Coverage({ providers, metrics }: { providers: readonly Provider[]; metrics: readonly Metric[] }) {
  const isMeasured = ({ id }: Metric): boolean => providers.some((provider) => measures(provider, id));
  const measured = metrics.filter(isMeasured);
  const categories = [...new Set(measured.map(({ category }) => category))];
  const chosen = categories.find((category) => category === address.value.query['category']) ?? categories[0];
  if (chosen === undefined) return null;
  const rows = measured.filter(({ category }) => category === chosen);
  const reporting = providers.filter((provider) => rows.some(({ id }) => measures(provider, id)));
  return (
    <section class="page-section stack">
      <h2>{words.providers.coverage}</h2>
      <Tabs
        label={words.providers.category}
        name="category"
        choices={categories.map((id) => ({ id, name: words.providers.categories[id] }))}
        current={chosen}
      />
      <div class="coverage">
        <DataTable
          caption={words.providers.coverageOf(words.providers.categories[chosen satisfies Category])}
          columns={[metricColumn, ...reporting.map(toColumn)]}
          rows={rows}
          keyOf={({ id }) => id}
        />
      </div>
    </section>
  );
}

const measures = ({ metrics }: Provider, id: Metric['id']): boolean => metrics.some((each) => each === id);

const metricColumn: Column<Metric> = {
  id: 'metric',
  name: words.providers.metric,
  cell: (metric) => (
    <>
      {nameOfMetric(metric)} <span class="muted">{metric.unit}</span>
    </>
  ),
};

const toColumn = (provider: Provider): Column<Metric> => ({
  id: provider.id,
  name: provider.name,
  cell: ({ id }) =>
    measures(provider, id) ? (
      <>
        <span class="mark" aria-hidden="true">
          ●
        </span>
        <span class="visually-hidden">{words.providers.reported}</span>
      </>
    ) : (
      <span class="visually-hidden">{words.providers.notReported}</span>
    ),
});
