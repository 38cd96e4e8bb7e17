/** Globals of Node that the core and its packages use. */

export { Buffer } from 'buffer/'

const channel = new MessageChannel()
const tasks: (() => void)[] = []
channel.port1.onmessage = () => tasks.shift()?.()

/** Runs a function in a turn of its own. Timers of browsers wait some milliseconds. */
export function setImmediate<Given extends readonly unknown[]>(run: (...given: Given) => void, ...given: Given): void {
  tasks.push(() => run(...given))
  channel.port2.postMessage(undefined)
}
