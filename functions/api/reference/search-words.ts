// What readers type for a place whose own text has other words. The text of the guides is in the
// index as well, so only words that it lacks are here.

/** By address, as in the index; of a call, by its operation id. */
export const searchWords: Readonly<Record<string, string>> = {
  'docs/data-protection': 'gdpr hipaa ccpa dsgvo dpa phi pii privacy personal health compliance retention',
  'docs/erasure': 'gdpr right to be forgotten delete personal data',
  'docs/security': 'hipaa soc2 encryption pentest vulnerability',
  'docs/quickstart': 'getting started tutorial example sdk client install hello world',
  'docs/quickstart#cost': 'pricing price free billing plan aws bill',
  'docs/providers': 'integrations wearables devices watch ring supported fitbit',
  'docs/scores': 'algorithm formula readiness recovery how computed',
  'docs/webhooks': 'callback notification push hmac verify',
  'docs/errors': 'status codes 4xx 429 rate limit',
  openSdkSession: 'ios android iphone swift kotlin mobile app apple health healthkit connect samsung',
  uploadSdkData: 'ios android iphone healthkit apple health connect samsung import backfill history batch',
  issueMobileToken: 'ios android app',
  issueUserToken: 'browser frontend jwt',
  connectDevice: 'oauth link wearable backfill history import fitbit',
  createConnectLink: 'oauth widget hosted page wearable',
  replayDevice: 'reprocess backfill again',
  syncDevice: 'refresh poll now',
  deleteUser: 'gdpr erase right to be forgotten remove',
  getDaily: 'summary steps per day aggregate',
  getTimeseries: 'raw samples intraday heart rate',
  listEvents: 'changes stream polling sync',
};
