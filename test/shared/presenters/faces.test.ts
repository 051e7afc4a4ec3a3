import { expect, test } from 'vitest';
import type { ApiForm, Caller } from '../../../shared/model/account.ts';
import * as faces from '../../../shared/presenters/faces.ts';
import { form1ScoreHistory, form1Scores } from '../../../shared/presenters/form-1/scores.ts';
import { form2Daily } from '../../../shared/presenters/form-2/daily.ts';
import { form2ScoreHistory, form2Scores } from '../../../shared/presenters/form-2/scores.ts';

const on = (form: ApiForm): Caller => ({ kind: 'api_key', account: 'acc_1', env: 'live', form });

test('a caller is shown the face of their form', () => {
  expect([faces.scoresFace(on(1)), faces.scoreHistoryFace(on(1))]).toEqual([form1Scores, form1ScoreHistory]);
  expect([faces.scoresFace(on(2)), faces.scoreHistoryFace(on(2))]).toEqual([form2Scores, form2ScoreHistory]);
});

test('a form without a face of its own is shown Form 2’s', () => {
  expect(faces.dailyFace(on(1))).toBe(form2Daily);
  for (const face of Object.values(faces)) expect(face(on(1))).toHaveProperty('present');
});
