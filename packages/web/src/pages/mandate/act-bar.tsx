import { stateOf, type ActName, type Scene } from './scene.ts'
import { Button, ButtonLink } from '../../parts/button/button.tsx'
import { addressOf } from '../../routes.ts'
import styles from './mandate.module.css'

interface ActBarProps {
  readonly scene: Scene
  readonly onAct: (act: ActName) => void
}

/** The acts that the state of the mandate allows, the usual first and the last word at the end. */
export function ActBar({ scene, onAct }: ActBarProps) {
  const { id, detail, words } = scene
  const { acts } = words
  const state = stateOf(scene)
  const start = `${addressOf('start')}?mandate=${encodeURIComponent(id)}`
  if (state === 'draft')
    return (
      <ButtonLink kind="act" to={start}>
        {acts.goOn}
      </ButtonLink>
    )
  const hasVault = detail.chain_state !== null
  return (
    <>
      <span className={styles['statement']}>
        <ButtonLink kind="text" to={addressOf('statement', { id })}>
          {acts.statement}
        </ButtonLink>
      </span>
      {state === 'signed' && (
        <ButtonLink kind="act" to={start}>
          {acts.finish}
        </ButtonLink>
      )}
      {(state === 'working' || state === 'paused') && hasVault && (
        <>
          <Button onClick={() => onAct('add')}>{acts.add}</Button>
          {state === 'working' ? (
            <Button onClick={() => onAct('pause')}>{acts.pause}</Button>
          ) : (
            <Button kind="act" onClick={() => onAct('resume')}>
              {acts.resume}
            </Button>
          )}
          <Button kind="out" onClick={() => onAct('stop')}>
            {acts.stop}
          </Button>
        </>
      )}
      {(state === 'stopped' || state === 'ended') && hasVault && (
        <>
          <Button onClick={() => onAct('withdraw')}>{acts.withdraw}</Button>
          <Button kind="act" onClick={() => onAct('close')}>
            {acts.closeAll}
          </Button>
        </>
      )}
    </>
  )
}
