// Checks this machine and says how to fix each thing that is missing.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountRows } from '../../shared/accounts/account-rows.ts';
import { cloudProviderIds } from '../../shared/catalog/provider.ts';
import { parseMailSender } from '../../shared/platform/mail-address.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { startTableEngine } from '../local/engines/table-engine.ts';
import { type ChosenStore, chooseStore } from './choose-store.ts';
import { openDeployment } from './deployment.ts';
import { readProviderState } from './provider-commands.ts';

interface Finding {
  check: string;
  ok: boolean;
  /** Not needed for npm start and npm test. */
  optional: boolean;
  says: string;
}

export async function runDoctor(asJson: boolean): Promise<number> {
  const findings = [
    checkNodeVersion(),
    await checkTableEngine(),
    ...(await checkDeployment()),
    checkMail(process.env),
    checkPython(),
  ];
  const healthy = findings.every(({ ok, optional }) => ok || optional);
  if (asJson) process.stdout.write(`${JSON.stringify({ healthy, findings })}\n`);
  else
    for (const { check, ok, optional, says } of findings)
      process.stdout.write(`${ok ? 'ok     ' : optional ? 'absent ' : 'MISSING'} ${check.padEnd(14)} ${says}\n`);
  return healthy ? 0 : 1;
}

function checkNodeVersion(): Finding {
  const major = Number(process.versions.node.split('.')[0]);
  return {
    check: 'Node',
    ok: major >= 24,
    optional: false,
    says: major >= 24 ? process.version : `${process.version}: run npm ci, then start Daybook through npm`,
  };
}

async function checkTableEngine(): Promise<Finding> {
  try {
    const engine = await startTableEngine({ dataDir: 'memory' });
    await engine.stop();
    return { check: 'table engine', ok: true, optional: false, says: `${engine.kind} starts` };
  } catch (error) {
    return { check: 'table engine', ok: false, optional: false, says: toErrorMessage(error) };
  }
}

async function checkDeployment(): Promise<Finding[]> {
  try {
    const store = chooseStore(process.env);
    if (store.refusal !== undefined) return await checkNewDeployment(store);
    const opened = await openDeployment(process.env, store);
    try {
      const accounts = await accountRows(opened.deps.store).listAll();
      const says = `${store.location}: ${accounts.length} account${accounts.length === 1 ? '' : 's'}`;
      return [{ check: 'deployment', ok: true, optional: false, says }, await checkProviders(opened.deps)];
    } finally {
      await opened.close();
    }
  } catch (error) {
    return [{ check: 'deployment', ok: false, optional: false, says: toErrorMessage(error) }];
  }
}

/** Opens a store that is removed again, because looking must not create one. */
async function checkNewDeployment(store: ChosenStore): Promise<Finding[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'daybook-doctor-'));
  try {
    const opened = await openDeployment(process.env, { ...store, dataDir });
    try {
      const says = 'no data yet: npm start creates it';
      return [{ check: 'deployment', ok: true, optional: false, says }, await checkProviders(opened.deps)];
    } finally {
      await opened.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A provider without settings is fine; one whose settings cannot be used is not. */
async function checkProviders(deps: Deps): Promise<Finding> {
  const finding = { check: 'providers', optional: false };
  if (deps.deployment.kind === 'aws' && !process.env[settingNames.providersSecret])
    return { ...finding, ok: true, says: `not checked: ${settingNames.providersSecret} is not set` };
  const states = await Promise.all(cloudProviderIds.map((id) => readProviderState(deps, id)));
  const problems = states.flatMap(({ message }) => message ?? []);
  const configured = states.filter(({ state }) => state === 'configured').length;
  return { ...finding, ok: problems.length === 0, says: problems.join(' ') || `${configured} configured` };
}

/** For a deployment, checks only the settings, which the stack prints as outputs. */
export function checkMail(env: NodeJS.ProcessEnv): Finding {
  const sender = env[settingNames.mailSender];
  const finding = (ok: boolean, says: string): Finding => ({ check: 'mail', ok, optional: true, says });
  if (!env[settingNames.secret])
    return sender === ''
      ? finding(false, `${settingNames.mailSender} is empty: callers get links instead`)
      : finding(true, 'stored on this machine; a running host shows it at /mailbox');
  if (!sender)
    return finding(
      false,
      `${settingNames.mailSender} is not set: deploy with -c mailSender="Team <no-reply@example.com>" and set it to the output MailSender; until then, callers get links`,
    );
  return parseMailSender(sender)
    ? finding(true, `sent as ${sender}, which must be verified in SES`)
    : finding(
        false,
        `${settingNames.mailSender} must be an address, or a name with an address such as "Team <no-reply@example.com>"`,
      );
}

function checkPython(): Finding {
  const result = spawnSync('python3', ['--version'], { encoding: 'utf8' });
  const ok = result.status === 0;
  return {
    check: 'Python 3',
    ok,
    optional: true,
    says: ok ? result.stdout.trim() : 'only needed for test:deployed and test:clients: install Python 3',
  };
}

const toErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
