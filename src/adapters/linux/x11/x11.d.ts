/** Types for the used part of the `x11` package, which ships none. */
declare module 'x11' {
  export interface XError extends Error {
    /** The protocol's number of the error, such as 3 for BadWindow. */
    readonly error: number
  }

  /** Returns `true` when it has handled an error; otherwise the client emits the error as well. */
  export type Done<T> = (error: XError | Error | null | undefined, value: T) => boolean

  export interface Geometry {
    readonly depth: number
    readonly xPos: number
    readonly yPos: number
    readonly width: number
    readonly height: number
    readonly borderWidth: number
  }

  export interface Attributes {
    readonly klass: number
    /** 2 is viewable. */
    readonly mapState: number
    readonly overrideRedirect: number
    /** The events that clients have selected on this window. */
    readonly allEventMasks: number
  }

  export interface Property {
    readonly type: number
    readonly format: number
    readonly data: Buffer
  }

  export interface Pointer {
    /** The child of the queried window under the pointer. 0 when there is none. */
    readonly child: number
    readonly rootX: number
    readonly rootY: number
    /** Modifiers that are held or locked in the low byte, buttons above, the keyboard group in bits 13 and 14. */
    readonly keyMask: number
  }

  export interface Event {
    readonly name?: string
    /** The window that the event is about. For ConfigureNotify, the one on which it was selected. */
    readonly wid?: number
    /** The window that ConfigureNotify is about. */
    readonly wid1?: number
    /** The window on which an event about the structure was selected. */
    readonly event?: number
    readonly parent?: number
    readonly atom?: number
    readonly message_type?: number
    readonly data?: readonly number[]
  }

  export interface Client {
    readonly stream: { destroyed: boolean; destroy(): void }
    /** The number of the last request. Extensions that the package lacks increment it themselves. */
    seq_num: number
    readonly replies: Record<number, [(body: Buffer, detail: number) => unknown, Done<never>]>
    readonly pack_stream: { put(bytes: Buffer): void; submit(expectsReply?: boolean): void }
    /** The numbers of known atoms by name. */
    atoms: Readonly<Record<string, number>>
    on(event: 'error', listener: (error: Error) => void): void
    on(event: 'event', listener: (event: Event) => void): void
    on(event: 'end', listener: () => void): void
    terminate(): void
    require(extension: string, done: (error: Error | null | undefined, extension: never) => void): void
    AllocID(): number
    ReleaseID(id: number): void
    InternAtom(onlyIfExists: boolean, name: string, done: Done<number>): void
    QueryExtension(name: string, done: Done<{ readonly present: number; readonly majorOpcode: number }>): void
    GetProperty(
      remove: 0,
      window: number,
      name: number,
      type: number,
      offset: number,
      longs: number,
      done: Done<Property>,
    ): void
    QueryTree(window: number, done: Done<{ readonly parent: number; readonly children: readonly number[] }>): void
    GetGeometry(drawable: number, done: Done<Geometry>): void
    GetWindowAttributes(window: number, done: Done<Attributes>): void
    TranslateCoordinates(
      from: number,
      to: number,
      x: number,
      y: number,
      done: Done<{ readonly destX: number; readonly destY: number }>,
    ): void
    GetInputFocus(done: Done<{ readonly focus: number }>): void
    QueryPointer(window: number, done: Done<Pointer>): void
    GetKeyboardMapping(first: number, count: number, done: Done<readonly (readonly number[])[]>): void
    ChangeKeyboardMapping(first: number, perCode: number, keysyms: readonly number[]): void
    GetModifierMapping(done: Done<readonly (readonly number[])[]>): void
    GetImage(
      format: number,
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planes: number,
      done: Done<{ readonly depth: number; readonly data: Buffer }>,
    ): void
    ChangeWindowAttributes(window: number, values: { readonly eventMask: number }): void
    FreePixmap(pixmap: number): void
    MapWindow(window: number): void
    RaiseWindow(window: number): void
    SetInputFocus(window: number, revertTo: 0 | 1 | 2): void
    GrabServer(): void
    UngrabServer(): void
    SendClientMessage(
      to: number,
      about: number,
      type: number,
      format: 8 | 16 | 32,
      data: readonly number[],
      eventMask?: number,
    ): void
  }

  export interface Screen {
    readonly root: number
    readonly root_depth: number
  }

  export interface DisplayInfo {
    readonly client: Client
    readonly screen: readonly Screen[]
    readonly min_keycode: number
    readonly max_keycode: number
    readonly resource_mask: number
    readonly isLocalSocket: boolean
  }

  export interface TestExtension {
    readonly KeyPress: number
    readonly KeyRelease: number
    readonly ButtonPress: number
    readonly ButtonRelease: number
    readonly MotionNotify: number
    FakeInput(kind: number, detail: number, delayMs: number, window: number, x: number, y: number): void
  }

  export interface ScreenSaverExtension {
    /** `idle`: milliseconds since the last input. */
    QueryInfo(drawable: number, done: Done<{ readonly idle: number }>): void
  }

  export interface CompositeExtension {
    readonly Redirect: { readonly Automatic: 0; readonly Manual: 1 }
    RedirectWindow(window: number, update: 0 | 1): void
    NameWindowPixmap(window: number, pixmap: number): void
  }

  export interface Segment {
    readonly size: number
    /** The pixels of the last image that was read. */
    readonly buffer: Buffer
    getImage(
      drawable: number,
      x: number,
      y: number,
      width: number,
      height: number,
      planes: number,
      format: number,
      offset: number,
      done: Done<{ readonly size: number }>,
    ): void
    detach(done?: () => void): void
  }

  export interface SharedMemoryExtension {
    createSegment(size: number, done: Done<Segment>): void
    usable(done: (error: null, usable: boolean) => void): void
  }

  export function createClient(
    options: { readonly display: string; readonly shm?: false },
    done: (error: Error | undefined, display: DisplayInfo) => void,
  ): Client
}
