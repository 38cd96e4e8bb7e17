// What the gallery looks like on this processor: after each step of each solution the hashes of trees and pixels, and
// the bytes of the first screenshot. It runs from `dist`, so that a bare Node can.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadScenario, render } from '../dist/src/compose/preview.js'
import { runSolution } from '../dist/src/compose/verify.js'

const gallery = fileURLToPath(new URL('../scenarios/', import.meta.url))
for (const name of readdirSync(gallery).filter((name) => name.endsWith('.yaml'))) {
  const { marks, failure } = await runSolution(await loadScenario(gallery + name))
  const { png } = await (await render(gallery + name, {})).png()
  console.log(name, failure ?? 'solved', createHash('sha1').update(png).digest('hex'), JSON.stringify(marks))
}
