// Keeps the connect page up to date while data arrives. Without the script, the page has a link
// that reloads it.
import { connectMinutes } from '../../../shared/connections/connection.ts';
import { parseIdTime } from '../../../shared/system/ids.ts';
import type { DeviceRow } from '../../../shared/users/device-rows.ts';

const intervalMs = 10_000;
/** Ten minutes. A longer sync is left to the link. */
const maxRefreshes = 60;
const minuteMs = 60_000;

/** A part of the page that the script replaces with its newer version, as long as it says so. */
export const refreshedId = 'wearables';

/**
 * Replaces the part only when it differs, and never while a button is pressed or after a form was
 * submitted. The focus stays on the same control, and the browser's time zone in its fields. A
 * request that fails because the browser is offline is repeated after the same interval.
 */
export const refreshScript = `let refreshes = 0;
let isLeaving = false;
addEventListener('submit', () => { isLeaving = true; });
async function refresh() {
  if (isLeaving || refreshes === ${maxRefreshes}) return;
  if (!document.hidden) {
    refreshes++;
    const response = await fetch('?').catch(() => undefined);
    if (response && !response.ok) return;
    if (response && !showNewer(await response.text())) return;
  }
  setTimeout(refresh, ${intervalMs});
}
function showNewer(text) {
  const shown = document.getElementById('${refreshedId}');
  const newer = new DOMParser().parseFromString(text, 'text/html').getElementById('${refreshedId}');
  if (!newer || isLeaving) return false;
  if (shown.querySelector(':active')) return true;
  const zone = shown.querySelector('input[name=time_zone]')?.value ?? '';
  for (const field of newer.querySelectorAll('input[name=time_zone]')) field.value = zone;
  const focused = shown.contains(document.activeElement) ? document.activeElement.id : '';
  if (newer.outerHTML !== shown.outerHTML) {
    shown.replaceWith(newer);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }
  return 'refresh' in newer.dataset;
}
setTimeout(refresh, ${intervalMs});`;

/**
 * Whether a change is expected soon: the user may be giving consent in another tab, or history or
 * the first data is arriving.
 */
export function isChanging(device: DeviceRow, nowMs: number): boolean {
  const isRecent = (ms: number) => nowMs - ms < connectMinutes * minuteMs;
  const { id, status, connection, connectedMs, lastSyncMs, sync } = device;
  if (status === 'pending') return isRecent(parseIdTime(id));
  if (status !== 'active' || connection !== 'cloud') return false;
  if (sync?.state === 'waiting' || sync?.state === 'failed') return false;
  return sync?.state === 'backfilling' || (lastSyncMs === null && connectedMs !== null && isRecent(connectedMs));
}
