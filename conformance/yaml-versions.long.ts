import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, type ScalarTag, type Tags } from 'yaml'

/** Every YAML file that third-party servers and suites may read. */
const FILES = ['conformance/profiles', 'conformance/scenarios', 'scenarios'].flatMap((folder) =>
  // Files in folders of the gallery are parts of scenarios; those of the suite are broken on purpose.
  readdirSync(folder, { recursive: folder === 'scenarios', encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => join(folder, name)),
)

/** YAML 1.1 as PyYAML, libyaml, SnakeYAML and Psych read it: in contrast to its text, `y` and `n` are strings. */
const asReadersDo = (tags: Tags): Tags =>
  tags.map((tag) => {
    const { test, ...rest } = tag as ScalarTag
    return test?.test('y') || test?.test('n') ? { ...rest, test: new RegExp(`(?!^[yYnN]$)${test.source}`) } : tag
  })

const read = (file: string, version: '1.1' | '1.2'): unknown =>
  parse(readFileSync(file, 'utf8'), {
    version,
    merge: true,
    ...(version === '1.1' && { customTags: asReadersDo }),
  })

describe.each(FILES)('%s', (file) => {
  it('reads the same in YAML 1.1 and 1.2', () => {
    expect(read(file, '1.1')).toEqual(read(file, '1.2'))
  })
})

const PYTHON = `
import json, sys, yaml
json.dump([yaml.load(open(name, encoding='utf-8'), getattr(yaml, 'CSafeLoader', yaml.SafeLoader)) for name in sys.argv[1:]], sys.stdout)
`
const python = (...args: string[]) => spawnSync('python3', args, { encoding: 'utf8', maxBuffer: 1e8 })

// Without Python or PyYAML, the YAML 1.1 mode above replaces it.
it.skipIf(python('-c', 'import yaml').status !== 0)('PyYAML reads every file as YAML 1.2 does', () => {
  const { stdout, stderr } = python('-c', PYTHON, ...FILES)
  expect(stderr).toBe('')
  const found = JSON.parse(stdout) as unknown[]
  for (const [at, file] of FILES.entries()) expect(found[at], file).toEqual(read(file, '1.2'))
})
