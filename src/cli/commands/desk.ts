import { Command } from 'commander'
import { PACKAGE } from '../../compose/package.ts'
import { desk } from '../../protocols/desk/client/main.ts'

/** `backlot desk`: uses a desktop of a running server. The launcher of the package runs it without this program. */
export const deskCommand = (): Command =>
  new Command('desk')
    .description('Use a desktop of a running server from a shell: snapshot, click, type, wait (docs/desk.md).')
    .argument('[command...]', 'the command and its arguments')
    .helpOption(false)
    .allowUnknownOption()
    .action(async () => {
      const [node = 'node', file = '', , ...argv] = process.argv
      const program = file.endsWith('.ts') ? [node, '--import', 'tsx', file, 'desk'] : [node, file, 'desk']
      await desk(argv, { ownFolder: PACKAGE, program })
    })
