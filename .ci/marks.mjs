// What the gallery looks like on this processor: after each step of each solution the hashes of trees and pixels, and
// the bytes of the first screenshot. Then the scenario `showcase` in each axis of variants and with each fault, and `inbox` in
// each style. It runs from `dist`, so that a bare Node can.
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadScenario, render } from '../dist/src/compose/preview.js'
import { runSolution } from '../dist/src/compose/verify/solution-run.js'
import { SHELL_STYLES } from '../dist/src/desktop/style/style.js'
import { checkFaults, FAULT_CATALOGUE } from '../dist/src/scenario/faults/catalogue.js'
import { variantsOf } from '../dist/src/scenario/seeds.js'

const gallery = fileURLToPath(new URL('../scenarios/', import.meta.url))
for (const name of readdirSync(gallery).filter((name) => name.endsWith('.yaml'))) {
  const { marks, failure } = await runSolution(await loadScenario(gallery + name))
  const { png } = await (await render(gallery + name, {})).png()
  console.log(name, failure ?? 'solved', createHash('sha1').update(png).digest('hex'), JSON.stringify(marks))
}

const showcase = `${gallery}showcase.yaml`
/** One value of each axis. */
const axes = Object.assign({}, ...variantsOf(await loadScenario(showcase), 100))
// Samples never draw a style.
const styles = SHELL_STYLES.map((style) => ['style', style])
for (const [axis, value] of [...Object.entries(axes), ...styles]) {
  const { marks } = await runSolution(await loadScenario(showcase, { variant: { [axis]: value } }))
  console.log('showcase', `${axis}=${value}`, JSON.stringify(marks))
}
for (const [axis, style] of styles) {
  const { marks } = await runSolution(
    await loadScenario(`${gallery}inbox.yaml`, { variant: { [axis]: style, theme: 'dark' } }),
  )
  console.log('inbox', `${axis}=${style} theme=dark`, JSON.stringify(marks))
}
for (const { id } of FAULT_CATALOGUE) {
  const [fault] = checkFaults([id])
  const faults = ['probability' in fault ? { ...fault, probability: 1 } : fault]
  const { marks, fired } = await runSolution(await loadScenario(showcase), undefined, { faults })
  console.log('showcase', id, JSON.stringify([fired, marks]))
}
