import { definePage } from 'pantry/page'
import { Guide, play, ResumeForm, SetupForm, Starters } from '../../../play/practice/page/play.tsx'

export default definePage({
  shows: { guide: Guide, starters: Starters },
  forms: { play },
  view: ({
    shown: {
      guide,
      starters: { starters }
    }
  }) => ({
    title: 'Practice',
    main: (
      <>
        <p>
          Play a match of the One Piece Card Game against the built-in opponent, with the mouse, the keyboard or a
          screen reader. Every legal action is a button that says what it would come to. New to the game? The{' '}
          <a href="/play/tutorial">tutorial</a> explains it in short sections, and the{' '}
          <a href="/play/glossary">glossary</a> its words.
        </p>
        <h2>A new match</h2>
        <SetupForm starters={starters} levels={guide.levels} />
        <h2 id="resume">Go on with a match</h2>
        <p>The page of a match has a text that holds it. Paste it here.</p>
        <ResumeForm />
        <h2>What is played, and what is not</h2>
        <p>{guide.why_not_played} So these are left out:</p>
        <ul>
          {guide.not_played.map(text => (
            <li>{text}</li>
          ))}
        </ul>
        <h2>Fair play</h2>
        <p>The opponent sees {guide.opponent_sees.charAt(0).toLowerCase() + guide.opponent_sees.slice(1)}</p>
        <p>What is kept here: {guide.kept.charAt(0).toLowerCase() + guide.kept.slice(1)}</p>
      </>
    )
  })
})
