// Everything that may meet the person's writer: a new scenario is tried in every order, with every death and with a zombie.
import type { Scenario } from '../race.ts';
import { correctionScenarios } from './corrections.ts';
import { deviceScenarios } from './devices.ts';
import { timeZoneMoveScenarios } from './moves.ts';
import { settingsScenarios } from './settings.ts';
import { timeZoneFillScenarios } from './time-zone-fills.ts';
import { uploadScenarios } from './uploads.ts';

export const allScenarios: readonly Scenario[] = [
  ...correctionScenarios,
  ...timeZoneMoveScenarios,
  ...uploadScenarios,
  ...deviceScenarios,
  ...settingsScenarios,
  ...timeZoneFillScenarios,
];

export const scenariosWithCall = allScenarios.filter(({ call }) => call);
/** Whose writer knows from the table alone what to do, so that a death promises nobody anything. */
export const scenariosWithoutConcurrentCall = allScenarios.filter(({ concurrentCall: beside }) => !beside);

/** One of each kind of work, for who has no minute. */
export const representativeScenarios: readonly Scenario[] = scenariosWithoutConcurrentCall.filter(({ name }) =>
  [
    'a night moves with its stages',
    'every night moves by a day while another is worked in',
    'the days of a move are made',
    'settings take effect',
    'a device leaves with all that it brought',
    'the same device brings the same day',
    'a device is disconnected while the settings take effect',
    'the profile that scores depend on changes while an upload is worked in',
    'an upload comes while scores are made whose time has come',
    'a provider names a zone after it has brought data without one',
  ].includes(name),
);
