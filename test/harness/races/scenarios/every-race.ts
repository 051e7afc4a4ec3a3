// Everything that may meet the person's writer: a new scenario is tried in every order, with every death and with a zombie.
import type { Scenario } from '../race.ts';
import { corrections } from './corrections.ts';
import { devices } from './devices.ts';
import { fills } from './fills.ts';
import { moves } from './moves.ts';
import { settings } from './settings.ts';
import { uploads } from './uploads.ts';

export const everyRace: readonly Scenario[] = [...corrections, ...moves, ...uploads, ...devices, ...settings, ...fills];

export const withCall = everyRace.filter(({ call }) => call);
/** Whose writer knows from the table alone what to do, so that a death promises nobody anything. */
export const withWriter = everyRace.filter(({ beside }) => !beside);

/** One of each kind of work, for who has no minute. */
export const oneOfEach: readonly Scenario[] = withWriter.filter(({ name }) =>
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
