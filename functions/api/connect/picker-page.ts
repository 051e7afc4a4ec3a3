// The page of a connect link: what is connected, and what can be.

import { categoryNames } from '../../../shared/catalog/metric-table.ts';
import { categoriesOf } from '../../../shared/catalog/metrics.ts';
import type { CloudProviderId } from '../../../shared/catalog/provider.ts';
import type { LinkedPerson } from '../../../shared/connections/connect/connect-link.ts';
import { type PlainPage, plainPage } from '../../../shared/http/page.ts';
import { zoneField, zoneScript } from '../../../shared/http/zone-field.ts';
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import { providers } from '../../../shared/providers/catalog.ts';
import type { DeviceRow } from '../../../shared/users/device-rows.ts';
import type { DeviceError } from '../../../shared/users/device-states.ts';
import { deviceName, deviceState, type PersonsTime } from './device-words.ts';
import { outcomeWords } from './outcome-words.ts';

/** Those that have brought something, or are to. */
export const linkedDevices = ({ devices }: LinkedPerson): DeviceRow[] =>
  devices
    .filter(({ status }) => status === 'active' || status === 'disconnected')
    .sort((a, b) => Number(a.status !== 'active') - Number(b.status !== 'active') || (a.id < b.id ? -1 : 1));

export function pickerPage(person: LinkedPerson, time: PersonsTime, notice: Markup | undefined): PlainPage {
  const linked = linkedDevices(person);
  const active = new Set(linked.filter(({ status }) => status === 'active').map(({ provider }) => provider));
  const open = person.offered.filter((provider) => !active.has(provider));
  return plainPage({
    title: 'Your wearables',
    forms: 'onward',
    ...(needsZone(person) ? { script: zoneScript } : {}),
    content: markup`${notice}<h1>Your wearables</h1>
<p class="lead">Choose what your app may read, and disconnect it whenever you like.</p>
<p class="soft">You sign in with each maker yourself: your password stays between you and them.</p>
${linked.length > 0 && connected(linked, time)}
${offer(open, person, linked.length > 0)}
${zoneOf(person)}
${wayBack(person)}`,
  });
}

const connected = (
  devices: readonly DeviceRow[],
  time: PersonsTime,
): Markup => markup`<section aria-labelledby="connected">
<h2 id="connected">Connected</h2>
<ul class="cards">${devices.map((device) => row(device, time))}</ul>
</section>`;

const row = (device: DeviceRow, time: PersonsTime): Markup => markup`<li>
<div class="about"><h3>${deviceName(device)}</h3>${deviceState(device, time)}</div>
<a class="button" href="?disconnect=${encodeURIComponent(device.id)}">${device.status === 'active' ? 'Disconnect' : 'Remove'}<span class="visually-hidden"> ${deviceName(device)}</span></a>
</li>`;

function offer(open: readonly CloudProviderId[], person: LinkedPerson, isFurther: boolean): Markup {
  const heading = isFurther ? 'Connect another' : 'Connect';
  return markup`<section aria-labelledby="offered">
<h2 id="offered">${heading}</h2>
${
  open.length === 0
    ? markup`<p class="soft">${isFurther ? 'Everything that can be connected here is connected.' : 'Nothing can be connected here at the moment.'}</p>`
    : markup`<ul class="cards offers">${open.map((provider) => choice(provider, person))}</ul>`
}
</section>`;
}

function choice(provider: CloudProviderId, person: LinkedPerson): Markup {
  const { name, metrics } = providers[provider];
  // A person has no scores at a provider: those that it tells are levels of stress.
  const reads = categoriesOf(metrics).map((category) =>
    category === 'scores' ? 'stress' : categoryNames[category].toLowerCase(),
  );
  return markup`<li>
<div class="about"><h3>${name}</h3><p>${listed(reads)}</p>${trouble(provider, person.devices)}</div>
<form method="post" action="?">${needsZone(person) && zoneField}<button name="connect" value="${provider}">Connect<span class="visually-hidden"> ${name}</span></button></form>
</li>`;
}

/** "Activity, sleep and vitals". */
function listed(words: readonly string[]): string {
  const text = new Intl.ListFormat('en-GB').format(words);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Who gave up or said no knows that. */
const ownChoice: readonly (DeviceError | null)[] = ['access_denied', 'link_expired', null];

function trouble(provider: CloudProviderId, devices: readonly DeviceRow[]): Markup | undefined {
  const last = devices.findLast((device) => device.provider === provider && device.status !== 'disconnected');
  if (last?.status !== 'failed' || last.error === null || ownChoice.includes(last.error)) return undefined;
  return markup`<p class="wait">The last try did not work. ${outcomeWords[last.error](providers[provider].name).why}</p>`;
}

/** The browser names its zone where the profile has none. */
const needsZone = ({ user }: LinkedPerson): boolean => user.timezone === null;

const zoneOf = ({ user }: LinkedPerson): Markup | undefined =>
  user.timezone === null
    ? undefined
    : markup`<p class="lead soft small">Your days follow the time zone ${user.timezone}.</p>`;

const wayBack = ({ redirectUrl }: LinkedPerson): Markup | undefined =>
  redirectUrl === null ? undefined : markup`<p class="foot"><a href="${redirectUrl}">Back to your app</a></p>`;
