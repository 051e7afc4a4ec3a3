// What each role may call, reviewed by hand and made from nothing: a changed right is a changed line.
// API keys are not in it, because they may call every route of `/v1` and never sign in.
import type { ColleagueRole } from '../../shared/system/caller.ts';

/** `recent`: only with a link or a passkey that was used within the last ten minutes. */
export type Right = 'yes' | 'recent' | 'no';

const listed: Readonly<Record<string, readonly [owner: Right, developer: Right, support: Right]>> = {
  createUser: ['yes', 'yes', 'no'],
  listUsers: ['yes', 'yes', 'yes'],
  getUser: ['yes', 'yes', 'yes'],
  updateUser: ['yes', 'yes', 'no'],
  deleteUser: ['recent', 'recent', 'no'],

  getConsolidationCatalog: ['yes', 'yes', 'yes'],
  listMetrics: ['yes', 'yes', 'yes'],
  listProviders: ['yes', 'yes', 'yes'],
  listWorkoutTypes: ['yes', 'yes', 'yes'],

  issueUserToken: ['recent', 'recent', 'no'],
  refreshUserToken: ['recent', 'recent', 'no'],
  issueMobileToken: ['recent', 'recent', 'no'],

  listDevices: ['yes', 'yes', 'yes'],
  listUploads: ['yes', 'yes', 'yes'],
  connectDevice: ['recent', 'recent', 'no'],
  createConnectLink: ['recent', 'recent', 'no'],
  revokeConnectLink: ['yes', 'yes', 'no'],
  syncDevice: ['yes', 'yes', 'yes'],
  replayDevice: ['yes', 'yes', 'no'],
  disconnectDevice: ['recent', 'recent', 'no'],

  getDaily: ['yes', 'yes', 'no'],
  getDailyExplanation: ['yes', 'yes', 'no'],
  getTimeseries: ['yes', 'yes', 'no'],
  listSleep: ['yes', 'yes', 'no'],
  getSleep: ['yes', 'yes', 'no'],
  listWorkouts: ['yes', 'yes', 'no'],
  getWorkout: ['yes', 'yes', 'no'],
  getScores: ['yes', 'yes', 'no'],
  getScoreHistory: ['yes', 'yes', 'no'],

  listSdkSessions: ['yes', 'yes', 'yes'],
  openSdkSession: ['recent', 'recent', 'no'],
  revokeSdkSession: ['yes', 'yes', 'no'],

  getConsolidation: ['yes', 'yes', 'yes'],
  patchConsolidation: ['yes', 'yes', 'no'],
  previewConsolidation: ['yes', 'yes', 'no'],
  resetConsolidation: ['yes', 'yes', 'no'],

  listInvitations: ['yes', 'yes', 'yes'],
  getInvitation: ['yes', 'yes', 'yes'],
  inviteMember: ['recent', 'recent', 'no'],
  resendInvitation: ['recent', 'recent', 'no'],
  revokeInvitation: ['yes', 'yes', 'no'],
  listMembers: ['yes', 'yes', 'yes'],
  getMember: ['yes', 'yes', 'yes'],
  updateMember: ['yes', 'yes', 'no'],
  removeMember: ['recent', 'recent', 'no'],

  listWebhooks: ['yes', 'yes', 'yes'],
  getWebhook: ['yes', 'yes', 'yes'],
  listWebhookDeliveries: ['yes', 'yes', 'yes'],
  registerWebhook: ['recent', 'recent', 'no'],
  updateWebhook: ['recent', 'recent', 'no'],
  rotateWebhookSecret: ['recent', 'recent', 'no'],
  testWebhook: ['yes', 'yes', 'no'],
  redeliverWebhookDelivery: ['yes', 'yes', 'no'],
  recoverWebhook: ['yes', 'yes', 'no'],
  deleteWebhook: ['recent', 'recent', 'no'],

  listEvents: ['yes', 'yes', 'yes'],
  listAudit: ['yes', 'yes', 'no'],
  getOverview: ['yes', 'yes', 'yes'],
  searchPeople: ['yes', 'yes', 'yes'],

  // Everyone's own sign-in. Taking access away never waits for another sign-in.
  getMe: ['yes', 'yes', 'yes'],
  signOut: ['yes', 'yes', 'yes'],
  listSessions: ['yes', 'yes', 'yes'],
  revokeSession: ['yes', 'yes', 'yes'],
  listPasskeys: ['yes', 'yes', 'yes'],
  getPasskeyOptions: ['recent', 'recent', 'recent'],
  registerPasskey: ['recent', 'recent', 'recent'],
  removePasskey: ['yes', 'yes', 'yes'],

  listColleagues: ['yes', 'no', 'no'],
  listColleagueCredentials: ['yes', 'no', 'no'],
  inviteColleague: ['recent', 'no', 'no'],
  updateColleague: ['recent', 'no', 'no'],
  resetColleagueAccess: ['recent', 'no', 'no'],
  removeColleague: ['recent', 'no', 'no'],
  // Developers have the sandbox keys only (`test/api/colleagues.test.ts`).
  listKeys: ['yes', 'yes', 'no'],
  replaceKey: ['recent', 'recent', 'no'],
  revokeKey: ['recent', 'recent', 'no'],
};

export const listedOperations = Object.keys(listed);

const columns: Readonly<Record<ColleagueRole, 0 | 1 | 2>> = { owner: 0, developer: 1, support: 2 };

export function rightOf(role: ColleagueRole, operationId: string): Right {
  const row = listed[operationId];
  if (!row) throw new Error(`${operationId} has no rights in test/api/role-rights.ts.`);
  return row[columns[role]];
}
