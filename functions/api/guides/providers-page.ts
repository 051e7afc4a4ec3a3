// The page that compares all providers, built from their descriptors.

import { type CategoryId, categoryNames } from '../../../shared/catalog/metric-table.ts';
import { listCategories, sampleIds, sampleRow } from '../../../shared/catalog/metrics.ts';
import { cloudProviderIds, providerIds, sdkProviderIds } from '../../../shared/catalog/provider.ts';
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';
import type { CloudDescriptor, ProviderDescriptor } from '../../../shared/providers/kit/descriptor.ts';
import { getProviderLabel } from '../../../shared/providers/provider-label.ts';
import type { DocsPage } from '../docs-kit/docs-page.ts';
import { buildGuide } from './build-guide.ts';
import {
  describeArrival,
  describeHistory,
  describePollCapacity,
  describeRateLimits,
  deviceTypeNames,
} from './provider-text.ts';

const allProviders: readonly ProviderDescriptor[] = providerIds.map((id) => providerDescriptors[id]);
const categories = listCategories(allProviders.flatMap(({ metrics }) => metrics));

let page: DocsPage | undefined;

export function renderProvidersPage(): DocsPage {
  page ??= buildGuide({
    path: '/docs/providers',
    title: 'Providers · Daybook',
    html: 'providers.html',
    styles: ['article.css', 'providers.css'],
    fill: {
      counts: `${cloudProviderIds.length} providers connect through their cloud APIs, and ${sdkProviderIds.length} connect on the phone.`,
      category_links: categories.map((id) => markup`<a href="#${id}">${categoryNames[id]}</a>`.html).join(' '),
      delivery: deliveryTable.html,
      coverage: categories.map((id) => renderCoverageTable(id).html).join('\n'),
    },
  });
  return page;
}

const renderProviderLink = ({ id }: ProviderDescriptor): Markup =>
  markup`<a href="providers/${id}">${getProviderLabel(id)}</a>`;

// The explicit roles are needed because tables with a different CSS display lose their implicit
// ones.
const deliveryTable = markup`<table class="delivery stacked" role="table" aria-labelledby="delivery">
<thead role="rowgroup"><tr role="row">${['Provider', 'Device', 'New data', 'First sync', 'Limits'].map((name) => markup`<th role="columnheader" scope="col">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${allProviders.map(
  (provider) => markup`<tr role="row"><th role="rowheader" scope="row">${renderProviderLink(provider)}</th>
${renderCell('Device', deviceTypeNames[provider.deviceType])}
${renderCell('New data', describeArrival(provider))}
${renderCell('First sync', describeHistory(provider))}
${renderCell('Limits', provider.connection === 'cloud' ? describeLimits(provider) : 'None')}</tr>
`,
)}</tbody>
</table>`;

function describeLimits(provider: CloudDescriptor): string {
  const capacity = describePollCapacity(provider);
  return describeRateLimits(provider).join('; ') + (capacity === undefined ? '' : `. ${capacity}`);
}

function renderCell(label: string, text: string): Markup {
  return markup`<td role="cell"><span class="label">${label}: </span>${text}</td>`;
}

function renderCoverageTable(category: CategoryId): Markup {
  const metrics = sampleIds.map(sampleRow).filter((metric) => metric.category === category);
  const reporting = allProviders.filter((provider) =>
    provider.metrics.some((id) => metrics.some((each) => each.id === id)),
  );
  return markup`<h3 id="${category}">${categoryNames[category]}</h3>
<table class="coverage stacked" role="table" aria-labelledby="${category}">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col"><span class="visually-hidden">Metric</span></th>${reporting.map(({ id }) => markup`<th role="columnheader" scope="col"><span>${getProviderLabel(id)}</span></th>`)}</tr></thead>
<tbody role="rowgroup">${metrics.map(
    ({ id, displayName }) => markup`<tr role="row"><th role="rowheader" scope="row">${displayName}</th>${reporting.map(
      (provider) =>
        provider.metrics.includes(id)
          ? markup`<td role="cell" class="reported"><span class="mark" aria-hidden="true">●</span><span class="name">${getProviderLabel(provider.id)}</span></td>`
          : markup`<td role="cell" class="not-reported"></td>`,
    )}</tr>
`,
  )}</tbody>
</table>`;
}
