import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Command, Option } from 'commander'
import { render, renderFilm } from '../../compose/preview.ts'
import { wholeNumber } from '../arguments.ts'
import { UserError } from '../user-error.ts'

interface RenderFlags {
  readonly state?: string
  readonly after?: number
  readonly film?: string
  readonly theme?: 'light' | 'dark' | 'high-contrast'
  readonly out?: string
  readonly sketch?: boolean
  readonly prose?: boolean
}

/** `backlot render`: renders a state of a scenario as a picture, a sketch or prose. */
export function renderCommand(): Command {
  return new Command('render')
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
    .addOption(new Option('--sketch', 'print a sketch of boxes in text').conflicts('prose'))
    .addOption(new Option('--prose', 'print the accessibility tree as prose'))
    .action(async (file: string, flags: RenderFlags) => {
      if (flags.film !== undefined) return film(file, flags.film, flags.theme)
      const rendered = await render(file, flags)
      if (flags.sketch || flags.prose) {
        process.stdout.write(`${flags.sketch ? rendered.sketch() : rendered.prose()}\n`)
        return
      }
      const out = flags.out ?? `${basename(file).replace(/\.ya?ml$/, '')}.png`
      const { png, width, height } = await rendered.png()
      try {
        writeFileSync(out, png)
      } catch (error) {
        throw new UserError(
          `cannot write ${out} (${(error as NodeJS.ErrnoException).code}); choose another file with -o`,
        )
      }
      process.stderr.write(`wrote ${out}, ${width}x${height}\n`)
    })
}

/** Writes the pictures of a solution, named by step and tool. */
async function film(file: string, folder: string, theme: RenderFlags['theme']): Promise<void> {
  let count = 0
  for await (const { number, tool, png } of renderFilm(file, theme)) {
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, `${String(number).padStart(3, '0')}-${tool}.png`), png)
    } catch (error) {
      throw new UserError(`cannot write to ${folder} (${(error as NodeJS.ErrnoException).code}); choose another folder`)
    }
    count++
  }
  process.stderr.write(`wrote ${count} pictures to ${folder}\n`)
}
