import assert from 'node:assert/strict'
import { parseAs } from '../../probe/failure.ts'
import { defineRules } from '../../suite/rules.ts'
import { Failure, Success } from '../contract.ts'
import { sources } from '../document.ts'
import { onPrinted, printed } from '../driver.ts'

const UNKNOWN = 'no-command-of-this-name'

/** What a call prints, and how it ends. */
export const processRules = defineRules('process', {
  line: {
    level: 'MUST',
    text: 'Standard output is exactly one JSON value on one line.',
    source: sources.process,
    basis: { states: 'Standard output is one JSON value on one line and a line feed; logs go to standard error.' },
    covers: ['AD-P1'],
    check: async (context) => {
      const { stdout } = await context.run('status')
      assert.match(stdout, /^\{.*\}\n$/, 'standard output is not one JSON object on one line')
    },
    sabotage: {
      'prints JSON on several lines': {
        changeRun: (run) => {
          if (run.stdout.startsWith('{')) run.stdout = `${JSON.stringify(JSON.parse(run.stdout), null, 2)}\n`
        },
      },
    },
  },

  success: {
    level: 'MUST',
    text: 'A success has version, ok, command and data.',
    source: sources.process,
    basis: { states: 'A success is version, ok true, the command and its data.' },
    covers: ['AD-P2'],
    check: async (context) => {
      parseAs(Success, printed(await context.run('status')), 'the output of status')
    },
    sabotage: {
      'omits the version': {
        ...onPrinted((value) => {
          delete value.version
        }),
        alsoBreaks: ['process:failure'],
      },
      'wraps data as a result': onPrinted((value) => {
        if (!value.ok) return
        value.result = value.data
        value.ok = 'true'
      }),
    },
  },

  failure: {
    level: 'MUST',
    text: 'A failure has version, ok, command and error.',
    source: sources.process,
    basis: { states: 'A failure is version, ok false, the command and an error.' },
    covers: ['AD-P3'],
    check: async (context) => {
      parseAs(Failure, printed(await context.run(UNKNOWN)), 'the output of an unknown command')
    },
    sabotage: {
      'gives errors as texts': onPrinted((value) => {
        if (!value.ok) value.error = value.error.message
      }),
    },
  },

  command: {
    level: 'MUST',
    text: 'The command of an envelope is its name with hyphens.',
    source: sources.process,
    basis: { states: 'command is the name in kebab-case.' },
    covers: ['AD-P2'],
    needs: ['process:success'],
    check: async (context) => {
      const { command } = parseAs(Success, printed(await context.run('list-windows')), 'the output of list-windows')
      assert.equal(command, 'list-windows', 'command')
    },
    sabotage: {
      'writes commands with underscores': onPrinted((value) => {
        value.command = value.command.replaceAll('-', '_')
      }),
    },
  },

  'exit-success': {
    level: 'MUST',
    text: 'A success exits with 0.',
    source: sources.process,
    basis: { states: 'The exit code is 0 after a success.' },
    covers: ['AD-P4'],
    check: async (context) => assert.equal((await context.run('status')).exit, 0, 'the exit code of a success'),
    sabotage: {
      'exits with 1 after successes': onPrinted((value, run) => {
        if (value.ok) run.exit = 1
      }),
    },
  },

  'exit-failure': {
    level: 'MUST',
    text: 'A structured error exits with 1.',
    source: sources.process,
    basis: { states: 'The exit code is 1 after a structured error.' },
    covers: ['AD-P4'],
    check: async (context) => {
      const { exit } = await context.run('click', '@snothing:e1')
      assert.equal(exit, 1, 'the exit code of an error')
    },
    sabotage: {
      'exits with 0 after errors': onPrinted((value, run) => {
        if (!value.ok && run.exit === 1) run.exit = 0
      }),
    },
  },

  arguments: {
    level: 'MUST',
    text: 'Wrong arguments are INVALID_ARGS of the command unknown, and exit with 2.',
    source: sources.process,
    basis: { states: 'An argument error is an envelope with command unknown and INVALID_ARGS; the exit code is 2.' },
    covers: ['AD-P5', 'AD-P4', 'AD-E11'],
    needs: ['process:failure'],
    check: async (context) => {
      for (const words of [[UNKNOWN], ['snapshot', '--no-flag-of-this-name']]) {
        const run = await context.run(...words)
        const { command, error } = parseAs(Failure, printed(run), `the output of ${words.join(' ')}`)
        assert.deepEqual(
          { command, code: error.code, exit: run.exit },
          { command: 'unknown', code: 'INVALID_ARGS', exit: 2 },
        )
      }
    },
    sabotage: {
      'exits with 1 after wrong arguments': onPrinted((_, run) => {
        if (run.exit === 2) run.exit = 1
      }),
      'names the command of wrong arguments': onPrinted((value, run) => {
        if (run.exit === 2) value.command = run.words[0]
      }),
    },
  },

  help: {
    level: 'MUST',
    text: 'Help, version and a bare call print text and exit with 0.',
    source: sources.process,
    basis: { states: 'Text is printed for --help, --version and a call without words only, with exit code 0.' },
    covers: ['AD-P6'],
    check: async (context) => {
      for (const words of [['--help'], ['--version'], []]) {
        const { stdout, exit } = await context.run(...words)
        assert.equal(exit, 0, `the exit code of ${words[0] ?? 'a bare call'}`)
        assert.match(stdout, /^[^{\s]/, `${words[0] ?? 'a bare call'} prints text`)
      }
    },
    sabotage: {
      'refuses a bare call': {
        changeRun: (run) => {
          if (run.words.length === 0) run.exit = 2
        },
      },
      'prints its version as JSON': {
        changeRun: (run) => {
          if (run.words[0] === '--version') run.stdout = '{"version":"1.0.2"}\n'
        },
      },
    },
  },

  flags: {
    level: 'MUST',
    text: 'Global flags stand before or after the command.',
    source: sources.process,
    basis: { states: 'Global flags are taken before and after the command.' },
    covers: ['AD-P7'],
    check: async (context) => {
      for (const words of [
        ['--verbose', 'status'],
        ['status', '--verbose'],
      ]) {
        const run = await context.run(...words)
        assert.equal(run.exit, 0, `${words.join(' ')} exits with ${run.exit}`)
      }
    },
    sabotage: {
      'refuses flags before the command': onPrinted((value, run) => {
        if (!run.words[0]?.startsWith('--')) return
        const disposition = { delivery: 'unknown', retry: 'unknown' }
        Object.assign(value, { ok: false, command: 'unknown', data: undefined })
        value.error = { code: 'INVALID_ARGS', message: 'unexpected argument', disposition }
        run.exit = 2
      }),
    },
  },
})
