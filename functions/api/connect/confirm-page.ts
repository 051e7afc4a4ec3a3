// Asks once more before a device is disconnected, since what it brought goes with it.

import { type PlainPage, renderPlainPage } from '../../../shared/http/page.ts';
import { markup } from '../../../shared/platform/markup.ts';
import { providerDescriptors } from '../../../shared/providers/catalog.ts';
import type { DeviceRow } from '../../../shared/users/device-rows.ts';
import { formatDeviceName } from './device-text.ts';

export function renderConfirmPage(device: DeviceRow): PlainPage {
  const verb = device.status === 'active' ? 'Disconnect' : 'Remove';
  const heading = `${verb} ${formatDeviceName(device)}?`;
  return renderPlainPage({
    title: heading,
    forms: 'here',
    content: markup`<h1>${heading}</h1>
<p class="lead">Everything it brought is removed from your days. This cannot be undone here.</p>
${device.status === 'active' && markup`<p>${describeConsequence(device)}</p>`}
<form method="post" action="?" class="actions">
<button class="danger" name="disconnect" value="${device.id}">${verb}</button>
<a class="button" href="?">Keep it</a>
</form>`,
  });
}

const describeConsequence = ({ connection, provider }: DeviceRow): string =>
  connection === 'sdk'
    ? `Your phone stops sending data from ${providerDescriptors[provider].name}, until you connect it in your app again.`
    : `${providerDescriptors[provider].name} is told that the access has ended. Your account there stays as it is, and you can connect it again.`;
