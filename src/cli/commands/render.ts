import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Command, Option } from 'commander'
import { drawVariants, type RenderOptions, render, renderFilm } from '../../compose/preview.ts'
import { formatChoices, formatFirings, type VariantChoices } from '../../compose/variants.ts'
import { UserError, wholeNumber } from '../arguments.ts'
import { chosenVariant, type VariantFlags, withFaultsFlag, withVariantFlags } from '../variant-flags.ts'

interface RenderFlags extends VariantFlags {
  readonly variants?: number
  readonly faults?: readonly string[]
  readonly state?: string
  readonly after?: number
  readonly film?: string
  readonly theme?: 'light' | 'dark' | 'high-contrast'
  readonly out?: string
  readonly marks?: boolean
  readonly annotations?: string
  readonly sketch?: boolean
  readonly prose?: boolean
}

/** `backlot render`: renders a state of a scenario as a picture, a sketch or prose. */
export function renderCommand(): Command {
  return withFaultsFlag(withVariantFlags(new Command('render')))
    .description('Render a scenario as a PNG, or print it as a sketch or as prose.')
    .argument('<file>', 'scenario file, or the name of a gallery scenario')
    .option('--state <name>', 'state to render (default: the initial state)')
    .addOption(
      new Option('--theme <name>', 'theme, instead of the scenario’s own').choices(['light', 'dark', 'high-contrast']),
    )
    .option('-o, --out <file>', 'PNG file to write (default: the name of the scenario file)')
    .addOption(
      new Option('--after <n>', 'render the screen after this many steps of the solution')
        .argParser(wholeNumber)
        .conflicts('state'),
    )
    .addOption(
      new Option(
        '--film <folder>',
        'write a PNG of the start and of each step of the solution into this folder',
      ).conflicts(['state', 'after', 'out', 'sketch', 'prose']),
    )
    .option('--variants <n>', 'render this many variants, drawn from the seed, into files with numbers', wholeNumber)
    .addOption(
      new Option('--marks', 'draw a numbered frame around each clickable element').conflicts([
        'film',
        'sketch',
        'prose',
      ]),
    )
    .addOption(
      new Option(
        '--annotations <file>',
        'also write the boxes and masks of all elements, and the texts, as COCO JSON; its ids are the numbers of --marks',
      ).conflicts(['film', 'sketch', 'prose']),
    )
    .addOption(new Option('--sketch', 'print a sketch of boxes in text').conflicts('prose'))
    .addOption(new Option('--prose', 'print the accessibility tree as prose'))
    .action(async (file: string, flags: RenderFlags) => {
      const { state, after, theme, seed, faults } = flags
      const chosen = chosenVariant(flags)
      if (flags.film !== undefined) return film(file, flags.film, { theme, seed, variant: chosen, faults })
      const drawn = flags.variants ? await drawVariants(file, flags.variants, seed) : [{}]
      for (const [index, sample] of drawn.entries()) {
        const variant = { ...sample, ...chosen }
        const number = flags.variants ? index + 1 : undefined
        await renderOne(file, { state, after, theme, seed, variant, faults }, flags, number)
      }
    })
}

/** Writes the pictures of a solution, named by step and tool. */
async function film(file: string, folder: string, options: Parameters<typeof renderFilm>[1]): Promise<void> {
  let count = 0
  let fired: Parameters<typeof formatFirings>[0] = []
  for await (const { number, tool, png, fired: soFar } of renderFilm(file, options)) {
    fired = soFar
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${String(number).padStart(3, '0')}-${tool}.png`), png)
    } catch (error) {
      throw new UserError(`cannot write to ${folder} (${(error as NodeJS.ErrnoException).code}); choose another folder`)
    }
    count++
  }
  reportFirings(fired)
  process.stderr.write(`wrote ${count} pictures to ${folder}\n`)
}

/** Renders one variant. Variants that were drawn have a number, which is in the name of their file. */
async function renderOne(
  file: string,
  { variant, ...options }: RenderOptions & { readonly variant: VariantChoices },
  flags: RenderFlags,
  number: number | undefined,
): Promise<void> {
  const hasVariant = Object.keys(variant).length > 0
  const rendered = await render(file, { ...options, ...(hasVariant && { variant }) })
  for (const warning of rendered.warnings) process.stderr.write(`warning: ${warning}\n`)
  reportFirings(rendered.fired)
  if (flags.sketch || flags.prose) {
    if (number !== undefined) process.stdout.write(`${number}: ${formatChoices(variant)}\n`)
    process.stdout.write(`${flags.sketch ? rendered.sketch() : rendered.prose()}\n`)
    return
  }
  const asked = flags.out ?? `${basename(file).replace(/\.ya?ml$/, '')}.png`
  const out = number === undefined ? asked : asked.replace(/(\.png)?$/, `-${number}$1`)
  const { png, width, height } = await rendered.png({ marks: flags.marks === true })
  write(out, png, '-o')
  if (flags.annotations !== undefined) {
    const { annotations } = flags
    const document = number === undefined ? annotations : annotations.replace(/(\.json)?$/, `-${number}$1`)
    write(document, `${JSON.stringify(rendered.annotations(basename(out)))}\n`, '--annotations')
  }
  process.stderr.write(`wrote ${out}, ${width}x${height}${hasVariant ? `, ${formatChoices(variant)}` : ''}\n`)
}

function write(file: string, content: string | Buffer, flag: string): void {
  try {
    writeFileSync(file, content)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`cannot write ${file} (${code}); choose another file with ${flag}`)
  }
}

function reportFirings(fired: Parameters<typeof formatFirings>[0]): void {
  if (fired.length > 0) process.stderr.write(`faults: ${formatFirings(fired)}\n`)
}
