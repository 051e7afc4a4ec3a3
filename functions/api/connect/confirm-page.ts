// The page that asks for confirmation before a device is disconnected, because its data is removed
// too.

import { type PlainPage, renderPlainPage } from '../../../shared/http/page.ts';
import { markup } from '../../../shared/platform/markup.ts';
import { getProviderLabel } from '../../../shared/providers/provider-label.ts';
import type { DeviceRow } from '../../../shared/users/device-rows.ts';
import { formatDeviceName } from './device-text.ts';

export function renderConfirmPage(device: DeviceRow): PlainPage {
  const verb = device.status === 'active' ? 'Disconnect' : 'Remove';
  const heading = `${verb} ${formatDeviceName(device)}?`;
  return renderPlainPage({
    title: heading,
    forms: 'here',
    content: markup`<h1>${heading}</h1>
<p class="lead">All of its data is removed from your days. You cannot undo this here.</p>
${device.status === 'active' && markup`<p>${describeConsequence(device)}</p>`}
<form method="post" action="?" class="actions">
<button class="danger" name="disconnect" value="${device.id}">${verb}</button>
<a class="button" href="?">Keep it</a>
</form>`,
  });
}

const describeConsequence = ({ connection, provider }: DeviceRow): string =>
  connection === 'sdk'
    ? `Your phone stops sending data from ${getProviderLabel(provider)} until you connect it in your app again.`
    : `We tell ${getProviderLabel(provider)} that access has ended. Your account there stays as it is, and you can connect it again.`;
