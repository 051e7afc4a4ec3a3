import { describe, expect, test } from 'vitest';
import { isForEveryEngine, type Project, projectOf, testFiles } from './projects.ts';

describe('a test file', () => {
  test.each<[string, Project]>([
    ['test/shared/domain/measurements/rounding.deep.test.ts', 'deep'],
    ['test/api/users.deep.test.ts', 'deep'],
    ['test/api/users.test.ts', 'system'],
    ['test/infra/local/process.test.ts', 'system'],
    ['test/unit/system/sweep.test.ts', 'system'],
    ['test/infra/cloud/deployment-options.test.ts', 'system'],
    ['test/unit/measurements/codec/canonical-day.test.ts', 'quick'],
    ['test/unit/providers/oura/normalize.test.ts', 'quick'],
    ['test/architecture/imports.test.ts', 'quick'],
    ['test/projects.test.ts', 'quick'],
  ])('%s belongs to %s', (file, project) => {
    expect(projectOf(file)).toBe(project);
  });

  test('belongs to a project, and every project has files', () => {
    const projects = Map.groupBy(testFiles(), projectOf);
    expect(projects.get('quick')?.length).toBeGreaterThan(150);
    expect(projects.get('system')?.length).toBeGreaterThan(100);
    expect(projects.get('deep')?.length).toBeGreaterThan(5);
  });

  test('for every table engine also runs on the second one', () => {
    expect(testFiles().filter(isForEveryEngine).length).toBeGreaterThan(14);
  });

  test('of a standalone suite belongs to no project', () => {
    expect(testFiles().filter((file) => /^test\/(deployed|clients|pages)\//.test(file))).toEqual([]);
  });
});
