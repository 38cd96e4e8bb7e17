import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Command, Option } from 'commander'
import { render } from '../../compose/preview.ts'
import { UserError } from '../user-error.ts'

interface RenderFlags {
  readonly state?: string
  readonly theme?: 'light' | 'dark' | 'high-contrast'
  readonly out?: string
  readonly sketch?: boolean
  readonly prose?: boolean
}

/** `backlot render`: shows a state of a scenario as a picture, a sketch or prose. */
export function renderCommand(): Command {
  return new Command('render')
    .description('Paint a scenario to a PNG, or print it as a sketch or as prose.')
    .argument('<file>', 'a scenario')
    .option('--state <name>', 'which state (default: the initial one)')
    .addOption(
      new Option('--theme <name>', 'instead of the scenario’s own').choices(['light', 'dark', 'high-contrast']),
    )
    .option('-o, --out <file>', 'where to write the PNG (default: the scenario’s name)')
    .addOption(new Option('--sketch', 'print boxes of characters').conflicts('prose'))
    .addOption(new Option('--prose', 'print the accessibility tree as text'))
    .action(async (file: string, flags: RenderFlags) => {
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
          `${out} cannot be written (${(error as NodeJS.ErrnoException).code}); choose another with -o`,
        )
      }
      process.stderr.write(`wrote ${out}, ${width}x${height}\n`)
    })
}
