// Asks once more before a device is disconnected, since what it brought goes with it.

import { type PlainPage, plainPage } from '../../../shared/http/page.ts';
import { markup } from '../../../shared/platform/markup.ts';
import { providers } from '../../../shared/providers/catalog.ts';
import type { DeviceRow } from '../../../shared/users/device-rows.ts';
import { deviceName } from './device-words.ts';

export function confirmPage(device: DeviceRow): PlainPage {
  const verb = device.status === 'active' ? 'Disconnect' : 'Remove';
  const heading = `${verb} ${deviceName(device)}?`;
  return plainPage({
    title: heading,
    forms: 'here',
    content: markup`<h1>${heading}</h1>
<p class="lead">Everything it brought is removed from your days. This cannot be undone here.</p>
${device.status === 'active' && markup`<p>${consequence(device)}</p>`}
<form method="post" action="?" class="actions">
<button class="danger" name="disconnect" value="${device.id}">${verb}</button>
<a class="button" href="?">Keep it</a>
</form>`,
  });
}

const consequence = ({ connection, provider }: DeviceRow): string =>
  connection === 'sdk'
    ? `Your phone stops sending data from ${providers[provider].name}, until you connect it in your app again.`
    : `${providers[provider].name} is told that the access has ended. Your account there stays as it is, and you can connect it again.`;
