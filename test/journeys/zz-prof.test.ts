import { test } from 'vitest';
import { startTable } from '../shared/store/engines.ts';
import { publishEvents } from '../../shared/domain/publish-events.ts';
import { newEvent, oneTo, openOutbox, writeEvents, freshFeed } from '../harness/outbox.ts';
test('x', async () => {
  const place = await startTable('dynoxide');
  const o = openOutbox(place.table);
  const feed = freshFeed();
  let t = Date.now();
  const ids = await writeEvents(o.store, oneTo(2000).map(() => newEvent(feed)));
  console.log('written', Date.now() - t); t = Date.now();
  const n = o.store.events.number, u = o.store.events.unpublished, f = o.store.events.forget;
  let tn = 0, tu = 0, tf = 0;
  o.store.events.number = async (...a) => { const s = performance.now(); await n(...a); tn += performance.now() - s; };
  o.store.events.unpublished = async (...a) => { const s = performance.now(); const r = await u(...a); tu += performance.now() - s; return r; };
  o.store.events.forget = async (...a) => { const s = performance.now(); await f(...a); tf += performance.now() - s; };
  for (let i = 0; i < 2000; i += 25) { await publishEvents(o, ids.slice(i, i + 25), [feed]); if (i % 500 === 0) console.log(i, Date.now() - t, tn, tu, tf); }
  console.log('published', Date.now() - t, tn, tu, tf);
  await place.stop();
}, 60000);
