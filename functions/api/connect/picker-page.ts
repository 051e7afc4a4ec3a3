// The page of a connect link: what is connected, and what can be.
import type { LinkedPerson } from '../../../shared/domain/connect/connect-link.ts';
import { type Markup, markup } from '../../../shared/http/pages/markup.ts';
import { type PlainPage, plainPage } from '../../../shared/http/pages/page.ts';
import type { CloudProviderId } from '../../../shared/model/provider.ts';
import { providers } from '../../../shared/providers/catalog.ts';
import type { DeviceRow } from '../../../shared/store/devices.ts';
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
    content: markup`${notice}<h1>Your wearables</h1>
<p class="lead">Choose what your app may read. You can disconnect at any time.</p>
${linked.length > 0 && connected(linked, time)}
${offer(open, person, linked.length > 0)}
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

function offer(open: readonly CloudProviderId[], { devices }: LinkedPerson, isFurther: boolean): Markup {
  const heading = isFurther ? 'Connect another' : 'Connect';
  return markup`<section aria-labelledby="offered">
<h2 id="offered">${heading}</h2>
${
  open.length === 0
    ? markup`<p class="soft">${isFurther ? 'Everything that can be connected here is connected.' : 'Nothing can be connected here at the moment.'}</p>`
    : markup`<ul class="cards">${open.map((provider) => choice(provider, devices))}</ul>`
}
</section>`;
}

function choice(provider: CloudProviderId, devices: readonly DeviceRow[]): Markup {
  const { name } = providers[provider];
  const last = devices.findLast((device) => device.provider === provider && device.status !== 'disconnected');
  const failed = last?.status === 'failed' && last.error !== null ? outcomeWords[last.error](name) : undefined;
  return markup`<li>
<div class="about"><h3>${name}</h3>${failed && markup`<p class="wait">The last try did not work. ${failed.why}</p>`}</div>
<form method="post" action="?"><button name="connect" value="${provider}">Connect<span class="visually-hidden"> ${name}</span></button></form>
</li>`;
}

const wayBack = ({ redirectUrl }: LinkedPerson): Markup | undefined =>
  redirectUrl === null ? undefined : markup`<p class="foot"><a href="${redirectUrl}">Back to your app</a></p>`;
