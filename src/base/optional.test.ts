// Rules such as [BA1] are stated in SPEC.md beside this file.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { PACKAGE } from '../compose/package.ts'
import { installCommand, loadOptional, OPTIONAL, type OptionalFeature, packageName } from './optional.ts'

const FEATURES = Object.keys(OPTIONAL) as OptionalFeature[]
const manifest = JSON.parse(readFileSync(`${PACKAGE}/package.json`, 'utf8'))

/** Resolves no package. */
const elsewhere = createRequire('/nowhere/program.js')

describe('[BA1] loading a feature without its packages', () => {
  it.each(FEATURES)('refuses %s with the install command', async (feature) => {
    const [spec] = OPTIONAL[feature].packages
    await expect(loadOptional(feature, () => elsewhere(packageName(spec)))).rejects.toMatchObject({
      code: 'PlatformUnsupported',
      message: `${OPTIONAL[feature].feature} needs the optional package ${packageName(spec)}; run: npm install ${OPTIONAL[feature].packages.join(' ')}`,
    })
  })
})

describe('optional packages', () => {
  it('are recognised by one of their files and in the error messages of ES modules', async () => {
    const file = () => elsewhere.resolve('@tesseract.js-data/eng/package.json')
    await expect(loadOptional('ocr', file)).rejects.toMatchObject({
      message: expect.stringContaining('the optional package @tesseract.js-data/eng; run:'),
    })
    const error = Object.assign(new Error("Cannot find package 'x11' imported from /a/display.js"), {
      code: 'ERR_MODULE_NOT_FOUND',
    })
    await expect(loadOptional('linux', () => Promise.reject(error))).rejects.toMatchObject({
      message: 'the linux adapter needs the optional package x11; run: npm install x11@4 dbus-native@0.13',
    })
  })

  it('are loaded when installed; other errors pass through', async () => {
    expect(await loadOptional('history', () => 42)).toBe(42)
    const error = new Error("Cannot find module 'libsql'")
    await expect(loadOptional('history', () => Promise.reject(error))).rejects.toBe(error)
    const other = () => elsewhere('fastify')
    await expect(loadOptional('history', other)).rejects.toMatchObject({ code: 'MODULE_NOT_FOUND' })
  })

  it('are the optional peer dependencies, in the versions that the tests use', () => {
    const specs = FEATURES.flatMap((feature) => [...OPTIONAL[feature].packages])
    const optional = Object.fromEntries(specs.map((spec) => [packageName(spec), { optional: true }]))
    expect(manifest.peerDependenciesMeta).toEqual(optional)
    expect(Object.keys(manifest.peerDependencies).sort()).toEqual(Object.keys(optional).sort())
    for (const spec of specs.filter((spec) => packageName(spec) in manifest.devDependencies))
      expect(manifest.devDependencies[packageName(spec)]).toMatch(
        new RegExp(`^\\^${spec.slice(packageName(spec).length + 1)}\\.`),
      )
    expect(installCommand('ocr')).toBe('npm install tesseract.js@7 @tesseract.js-data/eng@1')
  })
})
