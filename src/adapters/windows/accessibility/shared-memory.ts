import { loadLibrary } from '../native.ts'

/** Memory that a program and this process both have, so that reading and writing it calls nobody. */
export interface SharedMemory {
  /** Its address in the program. */
  readonly address: bigint
  write(data: Buffer, offset: number): void
  read(bytes: number, offset: number): Buffer
  close(): void
}

/** How a program gets a section of memory. */
export interface SectionMapper {
  /** Returns the address of the section in the program. Undefined when the system refuses it. */
  map(section: number, bytes: number): bigint | undefined
  unmap(address: bigint): void
}

const NO_FILE = -1
const ALL_ACCESS = 0xf001f
const READ_WRITE = 4
const UNMAP = 2

/** Loads a function that shares memory with a program. It returns undefined when the system refuses it. */
export function loadSharedMemory() {
  const kernel32 = loadLibrary('kernel32.dll')
  const handle = 'intptr_t'
  const closeHandle = kernel32.func<(object: number) => boolean>('CloseHandle', 'bool', [handle])
  const createSection = kernel32.func<
    (file: number, security: null, protection: number, high: number, low: number, name: null) => number
  >('CreateFileMappingW', handle, [handle, 'void *', 'uint32_t', 'uint32_t', 'uint32_t', 'void *'])
  const mapHere = kernel32.func<
    (section: number, access: number, high: number, low: number, bytes: number) => number | bigint
  >('MapViewOfFile', 'uintptr_t', [handle, 'uint32_t', 'uint32_t', 'uint32_t', 'size_t'])
  const unmapHere = kernel32.func<(at: bigint) => boolean>('UnmapViewOfFile', 'bool', ['uintptr_t'])
  const copyIn = kernel32.func<(to: bigint, from: Buffer, bytes: number) => void>('RtlMoveMemory', 'void', [
    ...['uintptr_t', 'uint8_t *'],
    'size_t',
  ])
  const copyOut = kernel32.func<(to: Buffer, from: bigint, bytes: number) => void>('RtlMoveMemory', 'void', [
    ...['_Out_ uint8_t *', 'uintptr_t'],
    'size_t',
  ])

  return (bytes: number, program: SectionMapper): SharedMemory | undefined => {
    const section = createSection(NO_FILE, null, READ_WRITE, 0, bytes, null)
    if (section === 0) return undefined
    const here = BigInt(mapHere(section, ALL_ACCESS, 0, 0, bytes))
    let there: bigint | undefined
    try {
      there = here === 0n ? undefined : program.map(section, bytes)
    } finally {
      closeHandle(section)
      if (there === undefined && here !== 0n) unmapHere(here)
    }
    const address = there
    if (address === undefined) return undefined
    return {
      address,
      write: (data, offset) => copyIn(here + BigInt(offset), data, data.length),
      read(length, offset) {
        const data = Buffer.alloc(length)
        copyOut(data, here + BigInt(offset), length)
        return data
      },
      close() {
        program.unmap(address)
        unmapHere(here)
      },
    }
  }
}

/** Loads a function that gives a section to the program of a process handle, as Windows does without the help of the program. */
export function loadSectionMapper() {
  const ntdll = loadLibrary('ntdll.dll')
  const handle = 'intptr_t'
  const mapThere = ntdll.func<
    (
      section: number,
      process: number,
      address: Buffer,
      zeroBits: number,
      commit: number,
      offset: null,
      bytes: Buffer,
      inherit: number,
      kind: number,
      protection: number,
    ) => number
  >('NtMapViewOfSection', 'int32_t', [
    ...[handle, handle, '_Inout_ uint8_t *', 'uintptr_t', 'size_t', 'void *'],
    ...['_Inout_ uint8_t *', 'uint32_t', 'uint32_t', 'uint32_t'],
  ])
  const unmapThere = ntdll.func<(process: number, at: bigint) => number>('NtUnmapViewOfSection', 'int32_t', [
    handle,
    'uintptr_t',
  ])
  return (process: number): SectionMapper => ({
    map(section, bytes) {
      const [address, size] = [Buffer.alloc(8), Buffer.alloc(8)]
      size.writeBigUInt64LE(BigInt(bytes))
      const status = mapThere(section, process, address, 0, 0, null, size, UNMAP, 0, READ_WRITE)
      return status >= 0 ? address.readBigUInt64LE() : undefined
    },
    unmap: (address) => void unmapThere(process, address),
  })
}
