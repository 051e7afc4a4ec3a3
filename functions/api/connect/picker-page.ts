// The page of a connect link: the user's connected devices and the providers they can connect.

import { categoryNames } from '../../../shared/catalog/metric-table.ts';
import { listCategories } from '../../../shared/catalog/metrics.ts';
import type { CloudProviderId } from '../../../shared/catalog/provider.ts';
import type { LinkedUser } from '../../../shared/connections/connect/connect-link.ts';
import { type PlainPage, renderPlainPage } from '../../../shared/http/page.ts';
import { timeZoneField, timeZoneScript } from '../../../shared/http/time-zone-field.ts';
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';
import { getProviderLabel } from '../../../shared/providers/provider-label.ts';
import { type DeviceRow, hasData } from '../../../shared/users/device-rows.ts';
import type { DeviceError } from '../../../shared/users/device-states.ts';
import { formatDeviceName, renderDeviceState, type UserClock } from './device-text.ts';
import { outcomeTexts } from './outcome-text.ts';
import { renderProviderMark } from './provider-mark.ts';
import { isChanging, refreshedId, refreshScript } from './refresh-script.ts';

/** Devices that have sent data, or are expected to. */
export const listLinkedDevices = ({ devices }: LinkedUser): DeviceRow[] =>
  devices
    .filter(hasData)
    .sort((a, b) => Number(a.status !== 'active') - Number(b.status !== 'active') || (a.id < b.id ? -1 : 1));

/** `appName` is the name of the account, which its owner chose. */
export function renderPickerPage(
  linkedUser: LinkedUser,
  time: UserClock,
  notice: Markup | undefined,
  appName = 'your app',
): PlainPage {
  const linked = listLinkedDevices(linkedUser);
  const active = new Set(linked.filter(({ status }) => status === 'active').map(({ provider }) => provider));
  const available = linkedUser.offered.filter((provider) => !active.has(provider));
  const isRefreshed = linkedUser.devices.some((device) => isChanging(device, time.nowMs));
  const scripts = [...(needsTimeZone(linkedUser) ? [timeZoneScript] : []), ...(isRefreshed ? [refreshScript] : [])];
  return renderPlainPage({
    title: 'Your wearables',
    forms: 'onward',
    ...(scripts.length > 0 ? { script: scripts.join('\n') } : {}),
    ...(isRefreshed ? { requests: 'here' } : {}),
    content: markup`${notice}<h1>Your wearables</h1>
<p class="lead">Choose what ${appName} can read. You can disconnect it at any time.</p>
<p class="muted">You sign in with each provider directly, so we never see your password.</p>
<div id="${refreshedId}"${isRefreshed && markup` data-refresh`}>
${isRefreshed && refreshLink}
${linked.length > 0 && renderConnected(linked, time)}
${renderOffers(available, linkedUser, linked.length > 0)}
${renderTimeZone(linkedUser)}
</div>
${renderBackLink(linkedUser, appName)}`,
  });
}

const refreshLink = markup`<p class="lead muted small"><a id="refresh" href="?">Refresh</a> this page to see what has changed.</p>`;

const renderConnected = (
  devices: readonly DeviceRow[],
  time: UserClock,
): Markup => markup`<section aria-labelledby="connected">
<h2 id="connected">Connected</h2>
<ul class="cards">${devices.map((device) => renderDeviceRow(device, time))}</ul>
</section>`;

const renderDeviceRow = (device: DeviceRow, time: UserClock): Markup => markup`<li>
${renderProviderMark(device.provider)}<div class="card-text"><h3>${formatDeviceName(device)}</h3>${renderDeviceState(device, time)}</div>
<a class="button" id="disconnect-${device.id}" href="?disconnect=${encodeURIComponent(device.id)}">${device.status === 'active' ? 'Disconnect' : 'Remove'}<span class="visually-hidden"> ${formatDeviceName(device)}</span></a>
</li>`;

function renderOffers(available: readonly CloudProviderId[], linkedUser: LinkedUser, hasConnected: boolean): Markup {
  const heading = hasConnected ? 'Connect another' : 'Connect';
  return markup`<section aria-labelledby="available">
<h2 id="available">${heading}</h2>
${
  available.length === 0
    ? markup`<p class="muted">${hasConnected ? 'Everything available here is already connected.' : 'Nothing can be connected here at the moment.'}</p>`
    : markup`<ul class="cards available-providers">${available.map((provider) => renderOffer(provider, linkedUser))}</ul>`
}
</section>`;
}

function renderOffer(provider: CloudProviderId, linkedUser: LinkedUser): Markup {
  const { metrics } = providerDescriptors[provider];
  const label = getProviderLabel(provider);
  // The only provider data in the category `scores` is stress levels, so the page says "stress".
  const categories = listCategories(metrics).map((category) =>
    category === 'scores' ? 'stress' : categoryNames[category].toLowerCase(),
  );
  return markup`<li>
${renderProviderMark(provider)}<div class="card-text"><h3>${label}</h3><p>${formatList(categories)}</p>${renderLastProblem(provider, linkedUser.devices)}</div>
<form method="post" action="?">${needsTimeZone(linkedUser) && timeZoneField}<button id="connect-${provider}" name="connect" value="${provider}">Connect<span class="visually-hidden"> ${label}</span></button></form>
</li>`;
}

/** Formats a list such as "Activity, sleep and vitals". */
function formatList(items: readonly string[]): string {
  const text = new Intl.ListFormat('en-GB').format(items);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Errors that the user caused and already knows about. The page does not repeat them. */
const userCausedErrors: readonly (DeviceError | null)[] = ['access_denied', 'link_expired', null];

function renderLastProblem(provider: CloudProviderId, devices: readonly DeviceRow[]): Markup | undefined {
  const last = devices.findLast(
    (device) => device.provider === provider && device.status !== 'disconnected' && device.status !== 'replaced',
  );
  if (last?.status !== 'failed' || last.error === null || userCausedErrors.includes(last.error)) return undefined;
  return markup`<p class="warning">The last attempt failed. ${outcomeTexts[last.error](getProviderLabel(provider)).why}</p>`;
}

/** The browser supplies its time zone when the profile has none. */
const needsTimeZone = ({ user }: LinkedUser): boolean => user.timezone === null;

const renderTimeZone = ({ user }: LinkedUser): Markup | undefined =>
  user.timezone === null
    ? undefined
    : markup`<p class="lead muted small">Your days follow the time zone ${user.timezone}.</p>`;

const renderBackLink = ({ redirectUrl }: LinkedUser, appName: string): Markup | undefined =>
  redirectUrl === null ? undefined : markup`<p class="footer"><a href="${redirectUrl}">Back to ${appName}</a></p>`;
