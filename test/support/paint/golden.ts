import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { fromPng, type Picture } from '../../../src/paint/picture.ts'
import { imageDiff } from '../../../src/paint/picture-similarity.ts'

const GOLDEN = fileURLToPath(new URL('../../../fixtures/golden/', import.meta.url))
const REPORTS = fileURLToPath(new URL('../../../reports/golden/', import.meta.url))
const makesAnew = process.env.GOLDEN === 'update'

/** The golden file, written first when that was asked for. */
export function golden(path: string, content: () => Buffer): Buffer {
  if (makesAnew) {
    mkdirSync(dirname(GOLDEN + path), { recursive: true })
    writeFileSync(GOLDEN + path, content())
  }
  return readFileSync(GOLDEN + path)
}

/** Compares a picture with its golden file. */
export async function expectGolden(name: string, actual: Picture): Promise<void> {
  const file = await actual.png()
  const expected = fromPng(golden(`screens/${name}.png`, () => file))
  const isEqual = Buffer.compare(expected.pixels(), actual.pixels()) === 0
  if (!isEqual) {
    mkdirSync(dirname(`${REPORTS}${name}.png`), { recursive: true })
    writeFileSync(`${REPORTS}${name}.png`, await imageDiff(expected, actual).png())
  }
  expect(isEqual, `reports/golden/${name}.png shows the difference`).toBe(true)
}
