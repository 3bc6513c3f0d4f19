// Plays one game against druidai, which also referees it:
//
//     node play.mjs [GAME] [PLAYERS] [SEED] [-- COMMAND OF THE ENGINE]
//     node play.mjs waltz
//     node play.mjs waltz 2 7 -- druidai engine --threads 2
//
// Seat 0 is ours: put your front end, or your own idea of a good move, into `decide`.
import { Engine } from "./engine.mjs";

const dashes = process.argv.indexOf("--");
const own = process.argv.slice(2, dashes < 0 ? undefined : dashes);
const command = dashes < 0 ? undefined : process.argv.slice(dashes + 1);
const [game = "waltz", players = "2", seed] = own;
const OURS = 0;

// What our seat knows, and what it may do; answers one of the legal actions.
function decide(view, legal) {
  return legal[Math.floor(Math.random() * legal.length)];
}

async function play(engine) {
  const { name, version } = await engine.ask("hello", { protocol: 1 });
  console.log(`${name} ${version}: ${game} for ${players}`);
  const fields = { game, players: Number(players) };
  if (seed !== undefined) fields.seed = Number(seed);
  let { game_id, player } = await engine.ask("new", fields);
  let state = { player };
  for (let move = 1; state.player !== null; ++move) {
    let action;
    if (state.player === OURS) {
      const [{ view }, { actions }] = await Promise.all([
        engine.ask("view", { game_id, seat: OURS }),
        engine.ask("legal", { game_id }),
      ]);
      action = decide(view, actions).action;
    } else {
      ({ action } = await engine.ask("choose", { game_id, limit: { iterations: 100 } }));
    }
    const seat = state.player;
    state = await engine.ask("play", { game_id, action, seat });
    console.log(`${move}. seat ${seat}: ${state.seen[OURS].text}`); // as we saw it
  }
  console.log(`shares of the win: ${state.results.join(" ")}`);
}

const engine = new Engine(command);
try {
  await play(engine);
  await engine.quit();
} catch (error) {
  console.error(`play: ${error.message}`);
  process.exit(1);
}
