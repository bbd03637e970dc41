// @vitest-environment jsdom
import { cleanup, createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ServerProvider } from '../../socket/server-context.tsx'
import { createFakeServer } from '../../socket/fake-server.fixture.ts'
import type { ComposerMode } from './composer.tsx'
import { Composer } from './composer.tsx'

afterEach(() => {
  cleanup()
  localStorage.clear()
})

let thread = 0

function show(mode: ComposerMode = 'idle', threadId = `thread_${++thread}`) {
  const onSend = vi.fn()
  const onStop = vi.fn()
  const server = createFakeServer()
  const startTyping = vi.spyOn(server.socket, 'startTyping')
  const { unmount } = render(
    <ServerProvider api={server.api} socket={server.socket}>
      <Composer threadId={threadId} mode={mode} onSend={onSend} onStop={onStop} />
    </ServerProvider>,
  )
  const box = screen.getByRole<HTMLTextAreaElement>('textbox')
  const write = (text: string): boolean => fireEvent.change(box, { target: { value: text } })
  return { onSend, onStop, startTyping, box, write, unmount, threadId }
}

describe('the composer', () => {
  it('sends with Enter and empties the text', () => {
    const { onSend, box, write } = show()
    write(' Hello ')
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(onSend).toHaveBeenCalledExactlyOnceWith({ text: 'Hello', mode: 'send', attachments: [] })
    expect(box.value).toBe('')
  })

  it('does not send on Shift+Enter or on Enter of an input method', () => {
    const { onSend, box, write } = show()
    write('你好')
    fireEvent.keyDown(box, { key: 'Enter', shiftKey: true })
    fireEvent.keyDown(box, { key: 'Enter', isComposing: true })
    fireEvent.keyDown(box, { key: 'Enter', keyCode: 229 })
    expect(onSend).not.toHaveBeenCalled()
  })

  it('does not send a blank text', () => {
    const { onSend, box, write } = show()
    write('  \n')
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(onSend).not.toHaveBeenCalled()
  })

  it('keeps the draft of a thread separate from other threads', () => {
    const { write, unmount, threadId } = show()
    write('Half a thought')
    unmount()
    const again = show('idle', threadId)
    expect(again.box.value).toBe('Half a thought')
    again.unmount()
    expect(show().box.value).toBe('')
  })

  it('steers a running turn, queues a follow-up and stops the turn', () => {
    const { onSend, onStop, box, write } = show('running')
    write('Also this')
    fireEvent.keyDown(box, { key: 'Enter' })
    write('Later that')
    fireEvent.keyDown(box, { key: 'Enter', ctrlKey: true })
    fireEvent.keyDown(box, { key: 'Escape' })
    expect(onSend.mock.calls.map(([message]) => message as unknown)).toMatchObject([
      { text: 'Also this', mode: 'steer' },
      { text: 'Later that', mode: 'queue' },
    ])
    expect(onStop).toHaveBeenCalledTimes(1)
  })

  it.each(['running', 'waiting', 'approval'] as const)(
    'can stop a %s turn with a message half written',
    (mode) => {
      const { onStop, write, box } = show(mode)
      write('Half a thought')
      fireEvent.click(screen.getByRole('button', { name: 'Stop' }))
      expect(onStop).toHaveBeenCalledTimes(1)
      expect(box.value).toBe('Half a thought')
    },
  )

  it('sends a message in place of a waiting turn', () => {
    const { onSend, box, write } = show('waiting')
    write('Something else')
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(onSend.mock.calls[0]?.[0]).toMatchObject({ mode: 'send' })
  })

  it('attaches pasted files and names the ones it leaves out', async () => {
    const { onSend, box, write } = show()
    write('Look')
    const paste = createEvent.paste(box, {
      clipboardData: {
        types: ['Files'],
        files: [new File(['x'], 'a.png', { type: 'image/png' }), new File([], 'none.txt')],
      },
    })
    fireEvent(box, paste)
    await screen.findByText('a.png')
    expect((await screen.findByRole('alert')).textContent).toContain('none.txt is empty')
    expect(box.value).toBe('Look')
    fireEvent.keyDown(box, { key: 'Enter' })
    await waitFor(() => expect(onSend).toHaveBeenCalledTimes(1))
    expect(onSend.mock.calls[0]?.[0]).toMatchObject({ text: 'Look', attachments: [{ name: 'a.png' }] })
  })

  it('reports typing once, not at every letter', () => {
    const { startTyping, write } = show()
    write('a')
    write('ab')
    expect(startTyping).toHaveBeenCalledTimes(1)
  })
})
