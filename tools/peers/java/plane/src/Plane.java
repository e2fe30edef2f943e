import com.google.gson.Gson;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import io.envoyproxy.controlplane.cache.v3.SimpleCache;
import io.envoyproxy.controlplane.cache.v3.Snapshot;
import io.envoyproxy.controlplane.server.DiscoveryServerCallbacks;
import io.envoyproxy.controlplane.server.V3DiscoveryServer;
import io.envoyproxy.envoy.config.cluster.v3.Cluster;
import io.envoyproxy.envoy.config.endpoint.v3.ClusterLoadAssignment;
import io.envoyproxy.envoy.config.listener.v3.Listener;
import io.envoyproxy.envoy.config.route.v3.RouteConfiguration;
import io.envoyproxy.envoy.service.discovery.v3.DeltaDiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A control plane on java-control-plane that executes the commands on its standard input; see
 * test/interop/support/plane.ts. With the argument "by-node" each node has its own snapshot; without it, all share one.
 */
public final class Plane implements DiscoveryServerCallbacks {
  /** The served resources of one type, as encoded messages in base64. */
  private static final class State {
    String version = "";
    List<String> resources = List.of();
  }

  private static final class Command {
    String op;
    String node;
    /** By short names: LDS, RDS, CDS, EDS. */
    Map<String, State> types = Map.of();
  }

  private final boolean byNode;
  private final SimpleCache<String> cache;
  private final V3DiscoveryServer xds;
  private final AtomicLong requests = new AtomicLong();
  private final AtomicLong nacks = new AtomicLong();
  private final AtomicLong responses = new AtomicLong();
  private final AtomicLong streams = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();
  private Server server;
  /** The port stays the same after a restart. */
  private int port;

  private Plane(boolean byNode) {
    this.byNode = byNode;
    // gRPC sends its node only in the first request of a stream; in all others the id is empty.
    cache = new SimpleCache<>(node -> group(node.getId()));
    xds = new V3DiscoveryServer(this, cache);
  }

  private String group(String node) {
    return byNode ? node : "all";
  }

  private void start() throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
            .addService(xds.getAggregatedDiscoveryServiceImpl())
            .build()
            .start();
    port = server.getPort();
  }

  @Override
  public void onStreamOpen(long streamId, String typeUrl) {
    streams.incrementAndGet();
  }

  @Override
  public void onStreamClose(long streamId, String typeUrl) {
    ended.incrementAndGet();
  }

  @Override
  public void onStreamCloseWithError(long streamId, String typeUrl, Throwable error) {
    ended.incrementAndGet();
  }

  @Override
  public void onV3StreamRequest(long streamId, DiscoveryRequest request) {
    requests.incrementAndGet();
    if (request.hasErrorDetail()) {
      nacks.incrementAndGet();
    }
  }

  @Override
  public void onV3StreamDeltaRequest(long streamId, DeltaDiscoveryRequest request) {}

  @Override
  public void onV3StreamResponse(long streamId, DiscoveryRequest request, DiscoveryResponse response) {
    responses.incrementAndGet();
  }

  private static <T extends Message> List<T> read(State state, Parser<T> parser) throws InvalidProtocolBufferException {
    List<T> read = new ArrayList<>();
    for (String bytes : state.resources) {
      read.add(parser.parseFrom(Base64.getDecoder().decode(bytes)));
    }
    return read;
  }

  private void set(String node, Map<String, State> types) throws InvalidProtocolBufferException {
    State lds = types.getOrDefault("LDS", new State());
    State rds = types.getOrDefault("RDS", new State());
    State cds = types.getOrDefault("CDS", new State());
    State eds = types.getOrDefault("EDS", new State());
    cache.setSnapshot(
        group(node),
        Snapshot.create(
            read(cds, Cluster.parser()),
            cds.version,
            read(eds, ClusterLoadAssignment.parser()),
            eds.version,
            read(lds, Listener.parser()),
            lds.version,
            read(rds, RouteConfiguration.parser()),
            rds.version,
            List.of(),
            ""));
  }

  private void execute(Command command) throws IOException, InterruptedException {
    switch (command.op) {
      case "set" -> set(command.node, command.types);
      case "clear" -> cache.clearSnapshot(group(command.node));
      case "stop" -> server.shutdownNow().awaitTermination();
      case "start" -> start();
      default -> {}
    }
  }

  private Map<String, Object> report() {
    return Map.of(
        "port", port,
        "requests", requests.get(),
        "nacks", nacks.get(),
        "responses", responses.get(),
        "streams", streams.get(),
        "open", streams.get() - ended.get());
  }

  /** The version in the file name of the jar. */
  private static String version() {
    String archive = V3DiscoveryServer.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    return "java-control-plane " + archive.replaceAll(".*/server-|\\.jar$", "");
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Gson json = new Gson();
    Plane plane = new Plane(List.of(arguments).contains("by-node"));
    plane.start();
    System.out.println(json.toJson(Map.of("port", plane.port, "version", version())));
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      plane.execute(json.fromJson(line, Command.class));
      System.out.println(json.toJson(plane.report()));
    }
    System.exit(0);
  }
}
