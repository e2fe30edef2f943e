// grpc-go as an oracle: channels, calls and CSDS dumps, as lines of JSON; see tools/oracle/c-core.ts.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/internal/envconfig"
	"google.golang.org/grpc/internal/xds/xdsclient"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/xds"
	"google.golang.org/protobuf/proto"
)

type command struct {
	Op           string
	Name         string
	Value        string
	Target       string
	Channel      string
	Options      [][2]any
	Label        string
	Method       string
	Metadata     [][2]string
	Timeout      *float64
	WaitForReady bool
	Address      string
}

type outcome struct {
	Code     string  `json:"code,omitempty"`
	Message  string  `json:"message,omitempty"`
	Answer   *string `json:"answer,omitempty"`
	Seconds  float64 `json:"seconds"`
	Response []byte  `json:"response"`
}

// Passes messages as bytes: only the backend interprets them.
type rawCodec struct{}

func (rawCodec) Name() string { return "raw" }

func (rawCodec) Marshal(v any) ([]byte, error) { return *(v.(*[]byte)), nil }

func (rawCodec) Unmarshal(data []byte, v any) error {
	*(v.(*[]byte)) = append([]byte(nil), data...)
	return nil
}

// The names of the codes as the specification writes them.
var codeNames = map[codes.Code]string{
	codes.OK: "OK", codes.Canceled: "CANCELLED", codes.Unknown: "UNKNOWN", codes.InvalidArgument: "INVALID_ARGUMENT",
	codes.DeadlineExceeded: "DEADLINE_EXCEEDED", codes.NotFound: "NOT_FOUND", codes.AlreadyExists: "ALREADY_EXISTS",
	codes.PermissionDenied: "PERMISSION_DENIED", codes.ResourceExhausted: "RESOURCE_EXHAUSTED",
	codes.FailedPrecondition: "FAILED_PRECONDITION", codes.Aborted: "ABORTED", codes.OutOfRange: "OUT_OF_RANGE",
	codes.Unimplemented: "UNIMPLEMENTED", codes.Internal: "INTERNAL", codes.Unavailable: "UNAVAILABLE",
	codes.DataLoss: "DATA_LOSS", codes.Unauthenticated: "UNAUTHENTICATED",
}

var channels = map[string]*grpc.ClientConn{}
var background = map[string]chan outcome{}
var streams = map[string]openStream{}

type openStream struct {
	stream grpc.ClientStream
	cancel context.CancelFunc
}

func setenv(c command) outcome {
	os.Setenv(c.Name, c.Value)
	// grpc-go read its environment when the process started. It reads the bootstrap with the first channel.
	if c.Name == envconfig.XDSBootstrapFileContentEnv {
		envconfig.XDSBootstrapFileContent = c.Value
	}
	return outcome{}
}

func keyOf(c command) string {
	if c.Channel != "" {
		return c.Channel
	}
	return c.Target
}

func open(c command) (*grpc.ClientConn, error) {
	options := []grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}
	for _, option := range c.Options {
		if option[0] == "grpc.default_authority" {
			options = append(options, grpc.WithAuthority(fmt.Sprint(option[1])))
		}
	}
	target := c.Target
	if target == "" {
		target = c.Channel
	}
	made, err := grpc.NewClient(target, options...)
	if err == nil {
		channels[keyOf(c)] = made
	}
	return made, err
}

// A call may be the first to need its channel.
func channelOf(c command) (*grpc.ClientConn, error) {
	if known := channels[keyOf(c)]; known != nil {
		return known, nil
	}
	return open(c)
}

func connect(c command) outcome {
	conn, err := open(c)
	if err == nil {
		// Starts the resolver, which starts the watches.
		conn.Connect()
	}
	return outcome{}
}

func closeChannel(c command) outcome {
	channels[c.Channel].Close()
	delete(channels, c.Channel)
	return outcome{}
}

func ended(err error, began time.Time) outcome {
	s := status.Convert(err)
	return outcome{Code: codeNames[s.Code()], Message: s.Message(), Seconds: time.Since(began).Seconds()}
}

func call(conn *grpc.ClientConn, c command) outcome {
	began := time.Now()
	timeout := 3.0
	if c.Timeout != nil {
		timeout = *c.Timeout
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(timeout*float64(time.Second)))
	defer cancel()
	for _, pair := range c.Metadata {
		ctx = metadata.AppendToOutgoingContext(ctx, pair[0], pair[1])
	}
	var request, answer []byte
	err := conn.Invoke(ctx, c.Method, &request, &answer, grpc.ForceCodec(rawCodec{}), grpc.WaitForReady(c.WaitForReady))
	if err != nil {
		return ended(err, began)
	}
	text := string(answer)
	return outcome{Code: "OK", Answer: &text, Seconds: time.Since(began).Seconds()}
}

// Calls on a channel, or fails as the channel does if grpc-go refuses its target.
func callOn(c command, run func(*grpc.ClientConn) outcome) outcome {
	conn, err := channelOf(c)
	if err != nil {
		return ended(status.Error(codes.Unavailable, err.Error()), time.Now())
	}
	return run(conn)
}

func start(c command) outcome {
	result := make(chan outcome, 1)
	background[c.Label] = result
	return callOn(c, func(conn *grpc.ClientConn) outcome {
		go func() { result <- call(conn, c) }()
		return outcome{}
	})
}

func stream(c command) outcome {
	return callOn(c, func(conn *grpc.ClientConn) outcome {
		began := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		description := &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}
		made, err := conn.NewStream(ctx, description, c.Method, grpc.ForceCodec(rawCodec{}))
		if err == nil {
			var request, answer []byte
			if err = made.SendMsg(&request); err == nil {
				err = made.RecvMsg(&answer)
			}
		}
		if err != nil {
			cancel()
			return ended(err, began)
		}
		streams[c.Label] = openStream{made, cancel}
		return outcome{}
	})
}

func endStream(c command) outcome {
	began := time.Now()
	open := streams[c.Label]
	delete(streams, c.Label)
	defer open.cancel()
	open.stream.CloseSend()
	for {
		var answer []byte
		err := open.stream.RecvMsg(&answer)
		if err == io.EOF {
			return outcome{Code: "OK", Seconds: time.Since(began).Seconds()}
		}
		if err != nil {
			return ended(err, began)
		}
	}
}

func serve(c command) outcome {
	server, err := xds.NewGRPCServer()
	if err != nil {
		return ended(err, time.Now())
	}
	listener, err := net.Listen("tcp", c.Address)
	if err != nil {
		return ended(err, time.Now())
	}
	go server.Serve(listener)
	return outcome{}
}

// Dumping waits for all changes of subscriptions, which wait for a write that is blocked.
const dumpTimeout = 3 * time.Second

// The response of grpc-go's CSDS service; empty if it does not respond.
func csds(command) outcome {
	dumped := make(chan []byte, 1)
	go func() {
		response, err := proto.Marshal(xdsclient.DefaultPool.DumpResources())
		if err != nil {
			log.Fatal(err)
		}
		dumped <- response
	}()
	select {
	case response := <-dumped:
		return outcome{Response: append([]byte{}, response...)}
	case <-time.After(dumpTimeout):
		return outcome{Response: []byte{}}
	}
}

var operations = map[string]func(command) outcome{
	"setenv":  setenv,
	"connect": connect,
	"close":   closeChannel,
	"call": func(c command) outcome {
		return callOn(c, func(conn *grpc.ClientConn) outcome { return call(conn, c) })
	},
	"start":     start,
	"join":      func(c command) outcome { return <-background[c.Label] },
	"stream":    stream,
	"endStream": endStream,
	"serve":     serve,
	"csds":      csds,
}

func main() {
	out := json.NewEncoder(os.Stdout)
	out.Encode(map[string]any{"version": fmt.Sprint("grpc-go ", grpc.Version)})
	in := bufio.NewReader(os.Stdin)
	for {
		// A bootstrap may be a line of several megabytes.
		line, err := in.ReadString('\n')
		if err != nil {
			os.Exit(0)
		}
		var c command
		if err := json.Unmarshal([]byte(strings.TrimSpace(line)), &c); err != nil {
			log.Fatal(err)
		}
		out.Encode(operations[c.Op](c))
	}
}
