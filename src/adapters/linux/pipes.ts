import { Socket } from 'node:net'
import { Fault } from '../../base/fault.ts'

/** A handle of libuv, which passes its descriptor with a message. */
export interface PipeHandle {
  open(fd: number): number
  close(): void
}

/** A handle of libuv that can receive handles and send them. */
interface PassingHandle extends PipeHandle {
  pendingHandle: PipeHandle | null
  connect(request: object, path: string): number
  writeBuffer(request: object, bytes: Buffer, handle?: PipeHandle): number
}

/** The parts of libuv that pass descriptors. Node uses them for its own child processes, and has no public interface to them. */
interface PipeWrap {
  readonly Pipe: new (type: number) => PassingHandle
  readonly PipeConnectWrap: new () => { oncomplete?: (status: number) => void; address?: string }
  readonly constants: { readonly IPC: number; readonly SOCKET: number }
}
interface StreamWrap {
  readonly WriteWrap: new () => { oncomplete?: () => void; handle?: unknown; async?: boolean }
}

/** Throws `PlatformUnsupported` where Node does not give access to them, as under `--permission`. */
function libuv(): PipeWrap & StreamWrap {
  const binding = (process as unknown as { binding?: (name: string) => unknown }).binding
  try {
    return { ...(binding!('pipe_wrap') as PipeWrap), ...(binding!('stream_wrap') as StreamWrap) }
  } catch {
    throw new Fault(
      'PlatformUnsupported',
      'Wayland needs to pass file descriptors, which this Node refuses; start it without --permission',
    )
  }
}

/** A connection to a Unix socket that passes descriptors beside its bytes. */
export interface PassingSocket {
  /** Reads, and writes without descriptors. It is paused. */
  readonly socket: Socket
  /** Writes bytes at once, with a descriptor. Returns the error of the system, or 0. */
  write(bytes: Buffer, carrier?: PipeHandle): number
  /** The descriptor that has arrived with the bytes that are being read. */
  takePending(): PipeHandle | undefined
}

/** Connects to a Unix socket. Rejects with the number of the error. A name in the abstract space begins with a zero byte. */
export function connectPassingSocket(path: string): Promise<PassingSocket> {
  const { Pipe, PipeConnectWrap, WriteWrap, constants } = libuv()
  const pipe = new Pipe(constants.IPC)
  const socket = new Socket({ handle: pipe, pauseOnCreate: true, readable: true, writable: true } as object)
  return new Promise((resolve, reject) => {
    const refuse = (status: number) => {
      socket.destroy()
      reject(new Error(`${status}`))
    }
    const request = new PipeConnectWrap()
    request.address = path
    request.oncomplete = (status) => {
      if (status) return refuse(status)
      resolve({
        socket,
        write(bytes, carrier) {
          const write = new WriteWrap()
          write.handle = pipe
          write.async = false
          write.oncomplete = () => carrier?.close()
          const failed = carrier ? pipe.writeBuffer(write, bytes, carrier) : pipe.writeBuffer(write, bytes)
          if (failed) carrier?.close()
          return failed
        },
        takePending() {
          const handle = pipe.pendingHandle ?? undefined
          pipe.pendingHandle = null
          return handle
        },
      })
    }
    const status = pipe.connect(request, path)
    if (status) refuse(status)
  })
}

/** A handle for a descriptor, which is closed after it was sent. Throws `PlatformUnsupported` for one that cannot be passed. */
export function carrierOf(fd: number): PipeHandle {
  const { Pipe, constants } = libuv()
  const carrier = new Pipe(constants.SOCKET)
  const status = carrier.open(fd)
  if (status) throw new Fault('PlatformUnsupported', `a file descriptor cannot be passed (${status})`)
  return carrier
}

/** Wraps the end of a pipe that is written to. */
export const writableEnd = (handle: PipeHandle): Socket =>
  new Socket({ handle, readable: false, writable: true } as object)

/** A pipe that connects to a Unix socket of this process, to pass to the compositor. */
export function connectPipe(path: string): Promise<PipeHandle> {
  const { Pipe, PipeConnectWrap, constants } = libuv()
  return new Promise((resolve, reject) => {
    const pipe = new Pipe(constants.SOCKET)
    const request = new PipeConnectWrap()
    request.address = path
    request.oncomplete = (status) => (status ? reject(new Error(`connect ${status}`)) : resolve(pipe))
    pipe.connect(request, path)
  })
}
